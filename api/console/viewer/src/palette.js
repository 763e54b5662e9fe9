// Colours of surfaces by type, as red, green and blue.

export const PALETTE = {
  plane: [150, 170, 196], cylinder: [104, 159, 224], cone: [226, 150, 82], sphere: [201, 118, 190], torus: [96, 186, 140], bspline: [206, 178, 84], bezier: [206, 178, 84],
  revolution: [178, 134, 108], extrusion: [128, 180, 188], offset: [170, 170, 120], other: [160, 160, 168],
};

/** Names of the types, by their number in a buffer. */
export const TYPES = Object.keys(PALETTE);
