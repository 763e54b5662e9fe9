// A model in three dimensions: orbit, section, pick. Drawn only when something has changed.

import {
  AmbientLight, Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, Group, Line, LineBasicMaterial, LineSegments, Mesh, MeshLambertMaterial, OrthographicCamera, Plane, Points,
  PointsMaterial, Scene, ShaderMaterial, Sphere, Vector3, WebGLRenderer, WebGLRenderTarget,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Caps } from "./caps.js";
import { PALETTE, TYPES } from "./palette.js";
import { nextFrame } from "./slices.js";

const COLOURS = { lit: [255, 208, 64], picked: [255, 143, 31], added: [70, 190, 110], removed: [225, 80, 72], changed: [255, 176, 40], moved: [170, 120, 230] };
const CLOUD = [0x2f7fd6, 0xd9822b, 0x3d9c6a, 0xb0559f, 0xb38a1d, 0x3a9aa8];
const FRAMES = 20, MOST_PAUSE = 250;
const VIEWS = { iso: [-1, -1.4, 1], front: [0, -1, 0], back: [0, 1, 0], left: [-1, 0, 0], right: [1, 0, 0], top: [0, 0, 1], bottom: [0, 0, -1] };

export class SolidView {
  constructor(host, { onPick = () => {}, onFrame = () => {} } = {}) {
    this.host = host;
    this.onPick = onPick;
    this.onFrame = onFrame;
    this.renderer = new WebGLRenderer({ antialias: true, stencil: true, powerPreference: "high-performance" });
    this.renderer.localClippingEnabled = true;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "The model; drag or arrows turn it, shift and arrows move it, plus and minus zoom, f fits; a click reads a face, Enter the one in the middle");
    host.append(this.canvas);
    this.scene = new Scene();
    this.camera = new OrthographicCamera();
    this.camera.up.set(0, 0, 1);
    this.headlight = new DirectionalLight(0xffffff, 2.1);
    this.scene.add(new AmbientLight(0xffffff, 1.25), this.camera);
    this.camera.add(this.headlight, this.headlight.target);
    this.headlight.position.set(0.4, 0.8, 1);
    this.surfaces = new Group();
    this.edges = new Group();
    this.clouds = new Group();
    this.proof = new Group();
    this.scene.add(this.surfaces, this.edges, this.clouds, this.proof);
    this.caps = new Caps(this.scene);
    this.plane = new Plane(new Vector3(-1, 0, 0), 0);
    this.faces = [];
    this.frames = [];
    this.graphics = graphicsOf(this.renderer.getContext());
    this.starts = new Map();
    this.colours = new Map();
    this.hidden = new Set();
    this.bounds = new Box3();
    this.material = new MeshLambertMaterial({ vertexColors: true, side: DoubleSide, alphaTest: 0.5, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.ink = new LineBasicMaterial({ vertexColors: true, alphaTest: 0.5 });
    this.picker = pickMaterial();
    this.target = new WebGLRenderTarget(1, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.invalidate());
    this.#listen();
    this.resizer = new ResizeObserver(() => this.#resize());
    this.resizer.observe(host);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#background());
    this.#background();
    this.#resize();
  }

  /** Show the mesh of a model; reader: of its document; url: of the mesh. A frame takes one buffer. */
  async load(reader, url) {
    const { bodies, missing } = await reader.call("openMesh", url);
    this.missing = missing;
    this.bodies = bodies;
    for (let chunk = await reader.call("nextChunk"); chunk; chunk = await reader.call("nextChunk")) {
      this.#add(chunk);
      if (this.surfaces.children.length === 1) this.fit();
      await nextFrame();
      this.#upload();
    }
    this.fit();
  }

  /** Show point clouds: [{ object_id, points: Float32Array }]. */
  async loadClouds(clouds) {
    clouds.forEach(({ object_id: id, points }, place) => {
      const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(points, 3));
      const cloud = new Points(geometry, new PointsMaterial({ size: 2.5, sizeAttenuation: false, color: CLOUD[place % CLOUD.length], clippingPlanes: this.material.clippingPlanes }));
      cloud.name = id;
      this.clouds.add(cloud);
      geometry.computeBoundingBox();
      if (points.length) this.bounds.union(geometry.boundingBox);
    });
    if (!this.faces.length) this.fit();
    this.invalidate();
  }

  showClouds(on) { this.clouds.visible = on; this.invalidate(); }

  showSurfaces(on) {
    this.surfaces.visible = this.edges.visible = on;
    this.caps.cut(on && this.sectioned ? this.plane : null, this.bounds);
    this.invalidate();
  }

  /** Light faces: targets are "solid-1" or "solid-1/face-3". */
  light(targets, kind = "lit") {
    for (const target of targets) for (const number of this.#numbers(target)) this.#colour(number, kind);
    this.#flush();
  }

  clear(kind) {
    for (const [number, own] of [...this.colours]) if (!kind || own === kind) this.#colour(number, null);
    this.#flush();
  }

  setVisible(body, on) {
    if (on === !this.hidden.has(body)) return;
    if (on) this.hidden.delete(body);
    else this.hidden.add(body);
    for (const { chunk } of this.surfaces.children.map((mesh) => mesh.userData)) {
      const run = chunk.runs.get(body);
      if (!run) continue;
      for (let vertex = run.first; vertex < run.first + run.count; vertex += 1) chunk.color[4 * vertex + 3] = on ? 255 : 0;
      for (let vertex = run.firstEnd; vertex < run.firstEnd + run.ends; vertex += 1) chunk.lines.color[4 * vertex + 3] = on ? 255 : 0;
      this.#dirty(chunk, run.first, run.count);
      chunk.lines.attribute.addUpdateRange(4 * run.firstEnd, 4 * run.ends);
      chunk.lines.attribute.needsUpdate = true;
    }
    for (const cloud of this.clouds.children) if (cloud.name === body) cloud.visible = on;
    this.invalidate();
  }

  /** A section: axis "x", "y", "z" or null for none; part: place between the ends of the model, 0 to 1. What was nearer to the eye when the axis was chosen is cut away. */
  section(axis, part = 0.5, flipped = false) {
    const planes = axis ? [this.plane] : [];
    if (axis) {
      if (axis !== this.sectioned) this.near = Math.sign(this.camera.position[axis] - this.controls.target[axis]) || 1;
      const sign = flipped ? this.near : -this.near;
      const at = this.bounds.min[axis] + part * (this.bounds.max[axis] - this.bounds.min[axis]);
      this.plane.normal.set(0, 0, 0)[axis] = sign;
      this.plane.constant = -sign * at;
    }
    for (const material of [this.material, this.ink, this.picker, ...this.clouds.children.map((cloud) => cloud.material)]) {
      const changed = material.clippingPlanes?.length !== planes.length;
      material.clippingPlanes = planes;
      if (changed) material.needsUpdate = true;
    }
    this.caps.cut(axis && this.surfaces.visible ? this.plane : null, this.bounds);
    this.sectioned = axis;
    this.invalidate();
  }

  look(name) {
    const direction = new Vector3(...VIEWS[name]).normalize();
    const sphere = this.bounds.isEmpty() ? new Sphere(new Vector3(), 1) : this.bounds.getBoundingSphere(new Sphere());
    const radius = sphere.radius || 1;
    this.camera.up.set(0, Math.abs(direction.z) > 0.99 ? 1 : 0, Math.abs(direction.z) > 0.99 ? 0 : 1);
    this.camera.position.copy(sphere.center).addScaledVector(direction, 4 * radius);
    this.camera.near = 0.01 * radius;
    this.camera.far = 12 * radius;
    this.camera.zoom = 1;
    this.radius = radius;
    this.controls.target.copy(sphere.center);
    this.#frame();
    this.controls.update();
    this.invalidate();
  }

  fit() { this.look("iso"); }

  /** Show what is not lit in grey, so that what is stands out. */
  dim() {
    this.faces.forEach((face) => { face.color = [176, 180, 188]; });
    this.faces.forEach((_, number) => this.#colour(number, this.colours.get(number) ?? null));
    this.#flush();
  }

  /** Turn another view as this one is turned. */
  follow(other) {
    this.controls.addEventListener("change", () => {
      if (other.turning || this.turning) return;
      other.turning = true;
      const by = other.radius / this.radius;
      other.camera.up.copy(this.camera.up);
      other.camera.position.copy(this.camera.position).sub(this.controls.target).multiplyScalar(by).add(other.controls.target);
      other.camera.zoom = this.camera.zoom;
      other.camera.updateProjectionMatrix();
      other.controls.update();
      other.turning = false;
      other.invalidate();
    });
  }

  /** Draw what proves an answer: { polygons: [[[x, y, z], …]], points: [[x, y, z]], lines: [[from, to]] }. */
  showProof({ polygons = [], points = [], lines = [] }) {
    this.proof.clear();
    const add = (corners, colour, closed) => {
      const geometry = new BufferGeometry().setFromPoints((closed ? [...corners, corners[0]] : corners).map((point) => new Vector3(...point)));
      const line = new Line(geometry, new LineBasicMaterial({ color: colour, depthTest: false }));
      line.renderOrder = 2;
      this.proof.add(line);
    };
    polygons.forEach((corners) => add(corners, 0xe0483e, true));
    lines.forEach((ends) => add(ends, 0xe0483e, false));
    if (points.length) {
      const dots = new Points(new BufferGeometry().setFromPoints(points.map((point) => new Vector3(...point))), new PointsMaterial({ color: 0xe0483e, size: 9, sizeAttenuation: false, depthTest: false }));
      dots.renderOrder = 3;
      this.proof.add(dots);
    }
    this.invalidate();
  }

  /** The triangles of a face: [[a, b, c], …]. */
  trianglesOf(number) {
    const { chunk, first, count } = this.faces[number];
    const corner = (vertex) => [chunk.position[3 * vertex], chunk.position[3 * vertex + 1], chunk.position[3 * vertex + 2]];
    const found = [];
    for (let place = 0; place < chunk.index.length; place += 3) {
      const vertex = chunk.index[place];
      if (vertex >= first && vertex < first + count) found.push([corner(vertex), corner(chunk.index[place + 1]), corner(chunk.index[place + 2])]);
    }
    return found;
  }

  invalidate() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => { this.pending = 0; this.render(); });
  }

  render() {
    const began = performance.now();
    this.renderer.render(this.scene, this.camera);
    this.stats = { calls: this.renderer.info.render.calls, triangles: this.renderer.info.render.triangles, milliseconds: performance.now() - began, framesPerSecond: this.#rate(began) };
    this.onFrame(this);
  }

  /** How many frames a second has, from the last frames of a movement; undefined at rest and in its first frames. */
  #rate(now) {
    if (now - this.frames.at(-1) > MOST_PAUSE) this.frames.length = 0;
    this.frames.push(now);
    if (this.frames.length > FRAMES) this.frames.shift();
    return this.frames.length < FRAMES ? undefined : (1000 * (FRAMES - 1)) / (now - this.frames[0]);
  }

  /** The number of the face at a place of the canvas (pixels of the page), or -1. */
  pick(x, y) {
    const { width, height } = this.canvas.getBoundingClientRect();
    const others = [this.edges, this.clouds, this.proof, ...this.caps.parts].filter((group) => group.visible);
    for (const group of others) group.visible = false;
    this.scene.overrideMaterial = this.picker;
    const background = this.scene.background;
    this.scene.background = null;
    this.camera.setViewOffset(width, height, x, y, 1, 1);
    this.renderer.setRenderTarget(this.target);
    this.renderer.setClearColor(0, 0);
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    const pixel = new Uint8Array(4);
    this.renderer.readRenderTargetPixels(this.target, 0, 0, 1, 1, pixel);
    this.renderer.setRenderTarget(null);
    this.camera.clearViewOffset();
    this.scene.overrideMaterial = null;
    this.scene.background = background;
    for (const group of others) group.visible = true;
    this.invalidate();
    return pixel[0] + 256 * pixel[1] + 65_536 * pixel[2] - 1;
  }

  #add(chunk) {
    const geometry = new BufferGeometry();
    chunk.runs = new Map(chunk.runs);
    chunk.attribute = new BufferAttribute(chunk.color, 4, true);
    geometry.setAttribute("position", new BufferAttribute(chunk.position, 3)).setAttribute("normal", new BufferAttribute(chunk.normal, 3));
    geometry.setAttribute("color", chunk.attribute).setAttribute("pick", new BufferAttribute(chunk.pick, 4, true)).setIndex(new BufferAttribute(chunk.index, 1));
    const box = boxFrom(chunk.box), sphere = box.getBoundingSphere(new Sphere());
    geometry.boundingSphere = sphere;
    this.bounds.union(box);
    this.#list(chunk);
    const mesh = new Mesh(geometry, this.material);
    mesh.userData.chunk = chunk;
    this.surfaces.add(mesh);
    this.caps.add(geometry, boxFrom(chunk.reach));
    const lines = new BufferGeometry().setAttribute("position", new BufferAttribute(chunk.lines.position, 3));
    chunk.lines.attribute = new BufferAttribute(chunk.lines.color, 4, true);
    lines.setAttribute("color", chunk.lines.attribute).setIndex(new BufferAttribute(chunk.lines.index, 1));
    lines.boundingSphere = boxFrom(chunk.reach).getBoundingSphere(new Sphere());  // the edges of a body lie in the buffer of its first face
    this.edges.add(new LineSegments(lines, this.ink));
  }

  /** List the faces of a buffer, in the order of their numbers. */
  #list(chunk) {
    const { body, face, first, count, type } = chunk.faces;
    for (let place = 0; place < body.length; place += 1) {
      const id = this.bodies[body[place]];
      if (!this.starts.has(id)) this.starts.set(id, this.faces.length);
      this.faces.push({ body: id, face: face[place], chunk, first: first[place], count: count[place], color: PALETTE[TYPES[type[place]]] });
    }
  }

  /** Have the newest buffer sent to the graphics processor, by drawing it alone into one pixel: a frame sends one buffer. */
  #upload() {
    const groups = [this.surfaces, this.edges], shown = groups.flatMap((group) => group.children.slice(0, -1));
    for (const one of shown) one.visible = false;
    this.renderer.setRenderTarget(this.target);
    this.renderer.render(this.scene, this.camera);
    this.renderer.setRenderTarget(null);
    for (const one of shown) one.visible = true;
  }

  #numbers(target) {
    const [body, face] = target.split("/");
    const start = this.starts.get(body);
    if (start === undefined) return [];
    const numbers = [];
    for (let place = start; place < this.faces.length && this.faces[place].body === body; place += 1) if (!face || `face-${this.faces[place].face + 1}` === face) numbers.push(place);
    return numbers;
  }

  #colour(number, kind) {
    const { chunk, first, count, color } = this.faces[number];
    const [red, green, blue] = kind ? COLOURS[kind] : color;
    for (let vertex = first; vertex < first + count; vertex += 1) {
      chunk.color[4 * vertex] = red;
      chunk.color[4 * vertex + 1] = green;
      chunk.color[4 * vertex + 2] = blue;
    }
    if (kind) this.colours.set(number, kind);
    else this.colours.delete(number);
    this.#dirty(chunk, first, count);
  }

  #dirty(chunk, first, count) {
    chunk.attribute.addUpdateRange(4 * first, 4 * count);
    chunk.attribute.needsUpdate = true;
  }

  #flush() { this.invalidate(); }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height);
    this.#frame();
  }

  /** The part of the world that the canvas shows: the whole model, whatever the shape of the canvas. */
  #frame() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height) return;
    const radius = 1.15 * (this.radius ?? 1), wide = Math.max(width / height, 1), tall = Math.max(height / width, 1);
    Object.assign(this.camera, { left: -radius * wide, right: radius * wide, top: radius * tall, bottom: -radius * tall });
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  #background() {
    this.caps.sheet.material.uniforms.pitch.value = 9 * Math.min(devicePixelRatio, 2);
    this.scene.background = new Color(matchMedia("(prefers-color-scheme: dark)").matches ? 0x1d2430 : 0xf7f9fc);
    this.invalidate();
  }

  #listen() {
    let down = null;
    this.canvas.addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; });
    this.canvas.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
      const box = this.canvas.getBoundingClientRect();
      this.onPick(this.pick(event.clientX - box.left, event.clientY - box.top));
    });
    const turn = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    this.canvas.addEventListener("keydown", (event) => {
      const zoom = { "+": 1.2, "=": 1.2, "-": 1 / 1.2 }[event.key];
      if (turn[event.key] && event.shiftKey) this.#move(...turn[event.key]);
      else if (turn[event.key]) this.#turn(...turn[event.key]);
      else if (event.key === "Enter") this.onPick(this.pick(this.host.clientWidth / 2, this.host.clientHeight / 2));
      else if (zoom) { this.camera.zoom *= zoom; this.camera.updateProjectionMatrix(); }
      else if (event.key === "f") this.fit();
      else return;
      event.preventDefault();
      this.invalidate();
    });
  }

  /** Move the model in the view, by a part of it. */
  #move(across, down) {
    const { left, right, top, bottom, zoom, matrix } = this.camera, by = 0.04 * Math.min(right - left, top - bottom) / zoom;
    const [side, above] = [0, 1].map((column) => new Vector3().setFromMatrixColumn(matrix, column));
    for (const point of [this.camera.position, this.controls.target]) point.addScaledVector(side, -across * by).addScaledVector(above, down * by);
    this.controls.update();
  }

  #turn(across, down) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(this.camera.up, -across * 0.15);
    const side = new Vector3().crossVectors(this.camera.up, offset).normalize();
    offset.applyAxisAngle(side, down * 0.15);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }
}

/** What draws: { name, isHardware }. Browsers without a graphics processor draw with one of these programs. */
function graphicsOf(gl) {
  const name = gl.getParameter(gl.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
  return { name, isHardware: !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name) };
}

const boxFrom = ([least, most]) => new Box3(new Vector3(...least), new Vector3(...most));

/** A material whose colour is the number of the face. */
function pickMaterial() {
  return new ShaderMaterial({
    clipping: true, side: DoubleSide,
    vertexShader: `attribute vec4 pick; attribute vec4 color; varying vec4 vPick; varying float vAlpha;
      #include <clipping_planes_pars_vertex>
      void main() { vPick = pick; vAlpha = color.a;
      #include <begin_vertex>
      #include <project_vertex>
      #include <clipping_planes_vertex>
      }`,
    fragmentShader: `varying vec4 vPick; varying float vAlpha;
      #include <clipping_planes_pars_fragment>
      void main() { if (vAlpha < 0.5) discard;
      #include <clipping_planes_fragment>
      gl_FragColor = vec4(vPick.rgb, 1.0); }`,
  });
}
