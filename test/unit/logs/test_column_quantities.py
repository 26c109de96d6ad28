from usv_energy.logs.column_quantities import UNITS


def test_the_first_unit_of_a_kind_is_the_house_s():
    assert {next(iter(units.values())) for units in UNITS.values()} == {1.0}
