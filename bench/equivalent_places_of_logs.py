"""Changes of one operator in usv_energy/logs that change nothing: PLACES as equivalent_places.py has them, by file."""

SECOND_OF_TWO = 'the second of two is the last'
NOT_THE_LIMIT = 'what is measured or drawn is never the limit to the last digit'

# Paths are from usv_energy/logs on.
PLACES: dict[str, dict[str, tuple[str, ...]]] = {
    SECOND_OF_TWO: {
        'agreement.py': ('ways: axis=<<1>>, out=made',),
        'assemble.py': ("_place: 'latitude_deg': origin[<<1>>]",),
        'quality.py': ('_velocities: readings[name][<<1>>]', '_velocities: readings[best][<<1>>][0]',
                       '_thrusters: {log.thrusters[<<1>>]}'),
        'table_folder.py': ('_at: column.limits[<<1>>]',),
        'telemetry.py': ('_motion: else POSITIONS[<<1>>]',),
        'bags/cdr.py': ('_span: int(kind[<<1>>:])', '_size_of: int(field.kind[<<1>>:])'),
        'bags/message_blocks.py': ('alike: .any(axis=<<1>>)', 'chosen: part[<<1>>].size',
                                   'columns: near.shape[<<1>>]'),
        'bags/bag_columns.py': ('_again: .all(axis=<<1>>)',),
        'bags/bag.py': ('_thrusters: _rising_series(recorded, field)[<<1>>]',),
        'bags/bag_topics.py': ("near: rsplit('/', 1)[<<1>>]",),
        'bags/sensor_topics.py': ("chosen_sensors: rsplit('/', 1)[<<1>>]",)},
    'the last of all pieces is the last of two': {'column_map.py': ("_check_units: rsplit('.', <<1>>)",)},
    'the first two of four are all but the last two': {'bags/bag_columns.py': ('_afloat: orientation[:, :<<2>>].any',)},
    NOT_THE_LIMIT: {
        'quality.py': ('refuse_degrees: abs(found.correlation) <<>>> AGREES', 'refuse_degrees: 1.0) <<<>> RATIO',
                       'refuse_degrees: np.abs(steps) <<<>> 10.0', '_yaw_rate: correlation <<<>> -AGREES',
                       '_yaw_rate: correlation <<<>> DISAGREES',
                       '_yaw_rate: _largest(log.r) <<<>> AT_REST_TURN', '_velocities: correlation <<>>> AGREES',
                       '_velocities: - 1.0) <<<>> RATIO', '_velocities: scores[best] <<>>> DISAGREES',
                       '_velocities: - scores[best] <<<>> BETTER', '_thruster_sign: abs(turn) <<>>> max',
                       '_thruster_sign: abs(ahead) <<>>> max')},
    'a second is 1 s': {'agreement.py': ('ways: <</>> SECOND',)},
    'of a single message the last is the first, and no later': {
        'telemetry_vehicles.py': ('has_clock: len(rows) <<>>> 1',)},
    'a number divides by the negative where it does by the positive': {
        'dataflash.py': ('_read: count % <<100_000>>',),
        'telemetry_vehicles.py': ('vehicles_in: count % <<100_000>>',)},
    'of the slope and the correlation the sizes count': {'quality.py': ('refuse_degrees: rate = <<0.5>>',)},
    'it is 1 or -1': {'csv_log.py': ('_house: factor <<*>> column.sign', '_command: column.sign <<>>> 0.0',)},
    'no time before the first sample lies in a hole, whatever the one before it is': {
        'resample.py': ('interpolated: source_time, time), <<1>>, max',)},
    'messages of just that size end a batch or a chunk one earlier: the same are read': {
        'bags/mcap.py': ('batches: size <<>>> BATCH_BYTES',),
        'bags/mcap_writer.py': ('write: len(chunk) <<>>> CHUNK_SIZE',)},
    'of a chunk of just that size the messages alone or the whole is kept: the same are read': {
        'bags/mcap.py': ('batches: SPARSE * wanted <<<>> len(block.buffer)',)},
    'the records are walked instead, which finds the same messages': {
        'bags/mcap_records.py': ('_by_index: len(records) <<<>> DATA', '_by_index: 6)[1::<<2>>]',
                                 '_by_index: (len(index) <<->> 6)', '_by_index: (len(index) - <<6>>)')},
    'an index that names no message, or a message as long as its chunk, is none': {
        'bags/mcap_records.py': ('_by_index: if len(index) <<>>> 6', '_by_index: lengths.max() <<>>> len')},
    'after the last record stands the magic, which is shorter than the head of a record': {
        'bags/mcap.py': ('_in_summary: at + HEAD.size <<<=>> len(summary)',)},
    'no record is as long as its file, and a chunk of its bare head holds none': {
        'bags/mcap.py': ('_outer: length <<<=>> size', '_chunk: len(content) <<<>> 32')},
    'a GPS has more fields than those of its places': {'ulog.py': ('_missing: pair <<<=>> set(found.data)',)},
    'a file of a magic and a footer has no summary': {
        'bags/mcap.py': ('_in_summary: size <<<>> len(MAGIC)',)},
    'a shortcut to what comes of the rest, too': {
        'bags/cdr.py': ('_different: values <<==>> values[0]',),
        'bags/message_blocks.py': ('compact: self.lengths <<==>> length', '_cut: len(cut) == <<1>>')},
}
