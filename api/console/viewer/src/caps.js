// The cut faces of a section: where a ray passes an odd number of surfaces behind the plane, the plane is inside a solid there, and is hatched.
//
// The surfaces are counted in the stencil buffer, one bit, in one pass over the buffers of bodies that the plane cuts: at most one draw call for each, and one for the plane.

import { AlwaysStencilFunc, Box3, DoubleSide, Group, InvertStencilOp, Mesh, NotEqualStencilFunc, PlaneGeometry, ShaderMaterial, Sphere, Vector3, ZeroStencilOp } from "three";

export class Caps {
  constructor(scene) {
    this.counters = new Group();
    this.counter = counterMaterial();
    this.sheet = new Mesh(new PlaneGeometry(1, 1), hatchMaterial());
    this.sheet.renderOrder = 1.5;
    this.sheet.visible = this.counters.visible = false;
    scene.add(this.counters, this.sheet);
  }

  /** Count the surfaces of a buffer, too. reach: the box of all bodies that have a part in it. */
  add(geometry, reach) {
    const mesh = new Mesh(geometry, this.counter);
    mesh.userData.reach = reach;
    mesh.renderOrder = 1;
    this.counters.add(mesh);
  }

  /** plane: what is cut, null for nothing; bounds: of the model. */
  cut(plane, bounds) {
    this.counter.clippingPlanes = plane ? [plane] : [];
    this.counter.needsUpdate = true;
    for (const mesh of this.counters.children) mesh.visible = Boolean(plane) && plane.intersectsBox(mesh.userData.reach);
    this.counters.visible = this.sheet.visible = this.counters.children.some((mesh) => mesh.visible);
    if (!plane || !this.sheet.visible) return;
    const { center, radius } = new Box3().copy(bounds).getBoundingSphere(new Sphere());
    plane.projectPoint(center, this.sheet.position);
    this.sheet.scale.setScalar(2 * radius);
    this.sheet.lookAt(new Vector3().copy(this.sheet.position).add(plane.normal));
  }

  /** What is not to be drawn while faces are picked. */
  get parts() { return [this.counters, this.sheet]; }
}

/** Writes nothing but the bit; the fourth part of `pick` says whether a body is closed, and that of `color` whether it is shown. */
function counterMaterial() {
  return new ShaderMaterial({
    clipping: true, side: DoubleSide, colorWrite: false, depthWrite: false, depthTest: false,
    stencilWrite: true, stencilFunc: AlwaysStencilFunc, stencilFail: InvertStencilOp, stencilZFail: InvertStencilOp, stencilZPass: InvertStencilOp,
    vertexShader: `attribute vec4 pick; attribute vec4 color; varying float vCounts;
      #include <clipping_planes_pars_vertex>
      void main() { vCounts = min(pick.a, color.a);
      #include <begin_vertex>
      #include <project_vertex>
      #include <clipping_planes_vertex>
      }`,
    fragmentShader: `varying float vCounts;
      #include <clipping_planes_pars_fragment>
      void main() { if (vCounts < 0.5) discard;
      #include <clipping_planes_fragment>
      gl_FragColor = vec4(1.0); }`,
  });
}

/** Lines at 45 degrees, as in sections of technical drawings (ISO 128-3:2022, clause 8). */
function hatchMaterial() {
  return new ShaderMaterial({
    side: DoubleSide, stencilWrite: true, stencilRef: 0, stencilFunc: NotEqualStencilFunc, stencilFail: ZeroStencilOp, stencilZFail: ZeroStencilOp, stencilZPass: ZeroStencilOp,
    uniforms: { pitch: { value: 9 } },
    vertexShader: "void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
    fragmentShader: "uniform float pitch; void main() { bool line = mod(gl_FragCoord.x - gl_FragCoord.y, pitch) < 0.18 * pitch; gl_FragColor = vec4(line ? vec3(0.42, 0.3, 0.14) : vec3(0.93, 0.86, 0.72), 1.0); }",
  });
}
