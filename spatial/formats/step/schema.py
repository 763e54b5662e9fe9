"""The entities of product and manufacturing information: what each is a kind of, and its own attributes in their order.

A simple instance writes the attributes of all its supertypes before its own; a complex instance writes those of each entity apart.
With this table both read the same.

Source: ISO 10303-242:2022 MIM long form, and the parts that it uses: ISO 10303-41 (shape aspects, measures), -43 (representations),
-45 (qualified measures), -46 and -101 (annotations), -47 (shape tolerances); -42 (solids and their shells).
"""

from __future__ import annotations

from typing import Final

_TABLE: Final = """
shape_aspect: name description of_shape product_definitional
composite_shape_aspect < shape_aspect
composite_group_shape_aspect < composite_shape_aspect
composite_unit_shape_aspect < composite_shape_aspect
all_around_shape_aspect < continuous_shape_aspect
continuous_shape_aspect < composite_shape_aspect
between_shape_aspect < continuous_shape_aspect
derived_shape_aspect < shape_aspect
apex < derived_shape_aspect
centre_of_symmetry < derived_shape_aspect
extension < derived_shape_aspect
geometric_alignment < derived_shape_aspect
geometric_contact < derived_shape_aspect
geometric_intersection < derived_shape_aspect
parallel_offset < derived_shape_aspect: offset
perpendicular_to < derived_shape_aspect
tangent < derived_shape_aspect
symmetric_shape_aspect < shape_aspect
shape_aspect_relationship: name description relating_shape_aspect related_shape_aspect
shape_aspect_associativity < shape_aspect_relationship
shape_aspect_deriving_relationship < shape_aspect_relationship
feature_for_datum_target_relationship < shape_aspect_relationship
datum < shape_aspect: identification
common_datum < composite_shape_aspect datum
datum_feature < shape_aspect
datum_target < shape_aspect: target_id
placed_datum_target_feature < datum_target
datum_system < shape_aspect: constituents
general_datum_reference < shape_aspect: base modifiers
datum_reference_compartment < general_datum_reference
datum_reference_element < general_datum_reference
datum_reference_modifier_with_value: modifier_type modifier_value
datum_reference: precedence referenced_datum
referenced_modified_datum < datum_reference: modifier
dimensional_size: applies_to name
angular_size < dimensional_size: angle_selection
dimensional_size_with_path < dimensional_size: path
dimensional_size_with_datum_feature < datum_feature dimensional_size
dimensional_location < shape_aspect_relationship
angular_location < dimensional_location: angle_selection
dimensional_location_with_path < dimensional_location: path
directed_dimensional_location < dimensional_location
dimensional_location_with_datum_feature < datum_feature dimensional_location
dimensional_characteristic_representation: dimension representation
plus_minus_tolerance: range toleranced_dimension
tolerance_value: lower_bound upper_bound
limits_and_fits: form_variance zone_variance grade source
geometric_tolerance: name description magnitude toleranced_shape_aspect
geometric_tolerance_with_datum_reference < geometric_tolerance: datum_system
geometric_tolerance_with_modifiers < geometric_tolerance: modifiers
geometric_tolerance_with_maximum_tolerance < geometric_tolerance_with_modifiers: maximum_upper_tolerance
geometric_tolerance_with_defined_unit < geometric_tolerance: unit_size
geometric_tolerance_with_defined_area_unit < geometric_tolerance_with_defined_unit: area_type second_unit_size
unequally_disposed_geometric_tolerance < geometric_tolerance: displacement
modified_geometric_tolerance < geometric_tolerance: modifier
geometric_tolerance_relationship: name description relating_geometric_tolerance related_geometric_tolerance
angularity_tolerance < geometric_tolerance_with_datum_reference
circular_runout_tolerance < geometric_tolerance_with_datum_reference
coaxiality_tolerance < geometric_tolerance_with_datum_reference
concentricity_tolerance < geometric_tolerance_with_datum_reference
parallelism_tolerance < geometric_tolerance_with_datum_reference
perpendicularity_tolerance < geometric_tolerance_with_datum_reference
symmetry_tolerance < geometric_tolerance_with_datum_reference
total_runout_tolerance < geometric_tolerance_with_datum_reference
cylindricity_tolerance < geometric_tolerance
flatness_tolerance < geometric_tolerance
line_profile_tolerance < geometric_tolerance
position_tolerance < geometric_tolerance
roundness_tolerance < geometric_tolerance
straightness_tolerance < geometric_tolerance
surface_profile_tolerance < geometric_tolerance
tolerance_zone < shape_aspect: defining_tolerance form
tolerance_zone_with_datum < tolerance_zone: datum_reference
oriented_tolerance_zone < tolerance_zone_with_datum: orientation
tolerance_zone_form: name
tolerance_zone_definition: zone boundaries
projected_zone_definition < tolerance_zone_definition: projection_end projected_length
projected_zone_definition_with_offset < projected_zone_definition: offset
non_uniform_zone_definition < tolerance_zone_definition
runout_zone_definition < tolerance_zone_definition: orientation
runout_zone_orientation: angle
measure_with_unit: value_component unit_component
length_measure_with_unit < measure_with_unit
plane_angle_measure_with_unit < measure_with_unit
ratio_measure_with_unit < measure_with_unit
representation_item: name
measure_representation_item < representation_item measure_with_unit
qualified_representation_item < representation_item: qualifiers
compound_representation_item < representation_item: item_element
value_range < compound_representation_item
descriptive_representation_item < representation_item: description
measure_qualification: name description qualified_measure qualifiers
type_qualifier: name
value_format_type_qualifier: format_type
representation: name items context_of_items
surface_texture_representation < representation
shape_representation < representation
shape_dimension_representation < shape_representation
shape_representation_with_parameters < shape_representation
property_definition: name description definition
property_definition_representation: definition used_representation
shape_definition_representation < property_definition_representation
item_identified_representation_usage: name description definition used_representation identified_item
geometric_item_specific_usage < item_identified_representation_usage
draughting_model_item_association < item_identified_representation_usage
draughting_model_item_association_with_placeholder < draughting_model_item_association: annotation_placeholder
characterized_object: name description
characterized_item_within_representation < characterized_object: item rep
geometric_representation_item < representation_item
advanced_face < geometric_representation_item: bounds face_geometry same_sense
draughting_callout < geometric_representation_item: contents
styled_item < representation_item: styles item
annotation_occurrence < styled_item
annotation_curve_occurrence < annotation_occurrence
annotation_fill_area_occurrence < annotation_occurrence: fill_style_target
annotation_symbol_occurrence < annotation_occurrence
annotation_text_occurrence < annotation_occurrence
tessellated_annotation_occurrence < annotation_occurrence
annotation_placeholder_occurrence < annotation_occurrence geometric_representation_item: role line_spacing
annotation_placeholder_occurrence_with_leader_line < annotation_placeholder_occurrence: leader_line
geometric_set < geometric_representation_item: elements
geometric_curve_set < geometric_set
tessellated_item < geometric_representation_item
tessellated_geometric_set < tessellated_item: children
repositioned_tessellated_item < tessellated_item: location
repositioned_tessellated_geometric_set < tessellated_geometric_set repositioned_tessellated_item
cartesian_point < geometric_representation_item: coordinates
placement < geometric_representation_item: location
axis2_placement_3d < placement: axis ref_direction
topological_representation_item < representation_item
connected_face_set < topological_representation_item: cfs_faces
open_shell < connected_face_set
closed_shell < connected_face_set
oriented_closed_shell < closed_shell: closed_shell_element orientation
manifold_solid_brep < geometric_representation_item: outer
faceted_brep < manifold_solid_brep
brep_with_voids < manifold_solid_brep: voids
shell_based_surface_model < geometric_representation_item: sbsm_boundary
"""


def _parsed(table: str) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    supertypes, attributes = {}, {}
    for line in table.strip().splitlines():
        declared, _, own = line.partition(":")
        name, _, above = declared.partition("<")
        supertypes[name.strip()] = tuple(above.split())
        attributes[name.strip()] = tuple(own.split())
    return supertypes, attributes


SUPERTYPES, ATTRIBUTES = _parsed(_TABLE)
"""What each entity is directly a kind of; the attributes that it declares itself."""


def lineage(name: str) -> tuple[str, ...]:
    """An entity and all that it is a kind of, in the order in which a simple instance writes their attributes; each once."""
    found: dict[str, None] = {}
    for above in SUPERTYPES.get(name, ()):
        found.update(dict.fromkeys(lineage(above)))
    found[name] = None
    return tuple(found)


LINEAGES: Final = {name: lineage(name) for name in SUPERTYPES}
"""The lineage of every entity of the table."""


def subtypes(name: str) -> frozenset[str]:
    """An entity and all kinds of it."""
    return frozenset(each for each, above in LINEAGES.items() if name in above)
