from usv_energy.files.locate import names
from usv_energy.studies.check.boat_check_text import shipped_entries, shipped_text


def test_every_shipped_file_is_listed_with_what_it_says_of_itself():
    entries = shipped_entries()
    assert [entry['name'] for entry in entries['boats']] == names('boats')
    assert all(entry['description'] for entry in entries['boats']) and all(entry['title'] for entry in
                                                                           entries['scenarios'])
    blocks = shipped_text(entries).split('\n\n')
    assert [block.splitlines()[0] for block in blocks] == ['Scenarios', 'Boats', 'Sensors']
    assert [len(block.splitlines()) - 1 for block in blocks] == [len(rows) for rows in entries.values()]
