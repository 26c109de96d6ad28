"""What the header of a column says: which quantity, in which unit, in the words that loggers and people use for it."""

import re
import unicodedata
from typing import NamedTuple

from usv_energy.logs.tables.column_map import QUANTITIES

# Words that say whose or how good a value is, and change nothing of what it is.
NEUTRAL = frozenset((
    'gps', 'gnss', 'rtk', 'nav', 'navigation', 'ins', 'ahrs', 'imu', 'ekf', 'att', 'attitude', 'est', 'estimated',
    'estimate', 'filtered', 'filter', 'boat', 'vessel', 'usv', 'asv', 'ship', 'own', 'my', 'the', 'of', 'in',
    'measured', 'actual', 'recorded', 'raw', 'value', 'val', 'data', 'field', 'fields', 'state', 'odom', 'odometry',
    'pose', 'pos', 'position', 'sensor', 'current_state', 'local', 'fused', 'meas', 'original', 'rosbag', 'm0', '0',
    'global', 'fix', 'navsatfix', 'vfr', 'hud', 'int', 'message', 'bat0', 'reading', 'log', 'location', 'ext',
    'environment', 'electrical', 'enhanced', 'geogr', 'geographische', 'posicion', 'posicao', 'posizione',
    'geograficzna'))
# Words that make of a value another one: what is asked for, its spread, another thing's.
OTHERS = frozenset((
    'set', 'setpoint', 'target', 'desired', 'desire', 'ref', 'reference', 'cmd', 'command', 'commanded', 'wanted',
    'soll', 'wp', 'waypoint', 'home', 'goal', 'std', 'stdev', 'cov', 'covariance', 'error', 'err', 'accuracy',
    'hacc', 'vacc', 'hdop', 'pdop', 'vdop', 'dop', 'variance', 'var', 'min', 'max', 'minimum', 'maximum', 'mean',
    'avg', 'average', 'autopilot', 'rudder', 'camera', 'gimbal', 'sigma', 'innovation', 'bias', 'xte', 'cross',
    'dist', 'distance', 'depth', 'remaining', 'capacity', 'temp', 'temperature', 'pressure', 'number', 'count',
    'id', 'nsats', 'sats', 'satellites', 'status', 'valid', 'type', 'mode', 'level', 'percent', 'soc', 'cell'))
PACK = r'battery|batteries|batt|bat|pack|akku|batterie|bateria|batteria|accu|batteri'
BATTERY = rf'(?:(?:{PACK}|bus|main|supply|house|system|input|total|dc|bord) ?\d? ?)?'
SIDES = {'left': 'left|port|l|bb|backbord|babord|bakbord|links|gauche|izquierda|sinistra|babor',
         'right': 'right|starboard|stbd|stb|sb|r|steuerbord|tribord|styrbord|rechts|droite|derecha|destra|estribor'}
OF_THRUSTER = r'(?:thruster|motor|engine|prop|propeller|esc|moteur|maschine|servo|m|t)'

# What a header may say besides its unit, as a regular expression of all of its words but the neutral ones. The words of
# English, German, French, Spanish, Italian, Dutch, Norwegian and Polish loggers.
WORDS: dict[str, str] = {
    'time': r'(?:utc |local |unix |ros |epoch |log |header |boot |elapsed |system |date )*(?:time|timestamp|stamp|'
    'epoch|unix|'
            r'elapsed|datetime|utc)(?: utc| since (?:start|boot)| boot| gmt| iso)?|t|zeit|zeitstempel|datum '
            r'(?:uhr)?zeit|'
            r'time stamp|ms today|temps|horodatage|date heure|date et heure|tiempo|fecha hora|fecha y hora|tempo|'
            r'data ora|tijd|tijdstip|datum tijd|tidspunkt|timeus|ts(?:t|tamp)?|i ?tow|rosbagtimestamp|secs?|seconds|'
            r'czas|millis|created at|recorded at|ticks|uptime|data e ora',
    'date': r'(?:utc |local )?date(?: utc)?|datum|fecha|data|dato|jour',
    'clock': r'uhrzeit|heure|hora|ora|klokkeslett|tid|godzina|time of day|utc time of day|local time of day|clock',
    'longitude': r'lon|lng|long|longitude|laenge|lange|laengengrad|langengrad|longitud|longitudine|lengtegraad|'
    'lengdegrad|dlugosc',
    'latitude': r'lat|latitude|breite|breitengrad|latitud|latitudine|breedtegraad|breddegrad|szerokosc',
    'east': r'east|easting|e|pe|utm e|utm easting|ost|est|x east|east x|x enu|x e',
    'north': r'north|northing|n|pn|utm n|utm northing|nord|norte|y north|north y|y enu|y n',
    'x_ned': r'x ned|ned x|x north|x n', 'y_ned': r'y ned|ned y|y east|y e',
    'x': r'x|p ?x|x p', 'y': r'y|p ?y|y p',
    'heading': r'(?:true |vehicle )?(?:heading|hdg|head|hdt|yaw|psi|compass)(?: true| angle| t)?|kompass|kompasskurs|'
               r'steuerkurs|cap|cap vrai|rumbo|prua|proa|koers voorliggend',
    'magnetic': r'(?:magnetic|mag) (?:heading|hdg|head)|(?:heading|hdg) (?:magnetic|mag|m)|hdm|cap magnetique',
    **{f'orientation_{axis}': rf'(?:orientation|quaternion|quat|q) {axis}|q{axis}' for axis in 'xyzw'},
    'variation': r'(?:magnetic |mag )?(?:variation|declination|decl|var)|missweisung|declinaison',
    'course': r'(?:ground )?(?:course|track|g crs|gcrs)(?: over ground| true| angle| made good| t)?|cog|bearing|'
              r'direction|kurs|kurs (?:uber|ueber|u) grund|ku ?g|koers|rumo|'
              r'route fond|route sur le fond|cap fond|rumbo sobre (?:el )?fondo|rotta|grondkoers|kurs over grunn|'
              r'kurs nad dnem',
    'speed': r'(?:ground ?)?(?:speed|velocity|spd|vel)(?: over ground| ground)?|sog|g ?spd|g ?vel|g ?speed|groundspeed|'
    'geschwindigkeit|fahrt|'
             r'(?:geschwindigkeit|fahrt) (?:uber|ueber|u) grund|su ?g|fu ?g|vit(?:esse)?(?: fond| sur le fond)?|'
             r'velocidade?(?: sobre (?:el )?fondo)?|'
             r'velocita|snelheid|hastighet|fart|fart over grunn|'
             r'predkosc(?: nad dnem)?',
    'through_water': r'stw|bsp?|boatspeed|(?:speed|velocity) (?:through|in|thru) (?:the )?water|water speed|vhw|'
                     r'fahrt durchs wasser|fdw|vit(?:esse)? surf(?:ace)?',
    'velocity_east': r'(?:v|vel|velocity|speed) ?(?:e|east)|ve|east (?:velocity|speed|vel)|vel e|twist east',
    'velocity_north': r'(?:v|vel|velocity|speed) ?(?:n|north)|vn|north (?:velocity|speed|vel)|vel n|twist north',
    'vx': r'v ?x|(?:vel|velocity|speed) x|x (?:velocity|vel|speed)|x dot',
    'vy': r'v ?y|(?:vel|velocity|speed) y|y (?:velocity|vel|speed)|y dot',
    'u': r'u|surge|surge (?:velocity|speed|vel)|(?:velocity|speed|vel) surge|forward (?:speed|velocity)|speed forward|'
         r'(?:twist )?linear x|(?:twist )?linear velocity x|body (?:velocity|vel) x|twist x|u body',
    'v': r'sway|sway (?:velocity|speed|vel)|(?:velocity|speed|vel) sway|(?:lateral|side) (?:speed|velocity)|'
         r'(?:twist )?linear y|(?:twist )?linear velocity y|body (?:velocity|vel) y|twist y|v body',
    'r': r'r|yaw ?rate|rate of turn|rot|turn(?:ing)? rate|heading rate|yaw ?speed|gyro? z|gyr z|(?:twist )?angular z|'
         r'(?:twist )?angular velocity z|angular rate z|omega z|w ?z|psi dot|yaw (?:angular )?velocity|drehrate|'
         r'gierrate|'
         r'taux de giration|vitesse de (?:lacet|giration)|velocidad de (?:guinada|giro)|velocita di imbardata',
    'wind_speed': r'(?:true )?wind ?(?:speed|velocity|spd|force)?(?: true)?|tws|tw speed|windgeschw(?:indigkeit)?|'
                  r'vitesse (?:du )?vent|vent reel vitesse|'
                  r'velocidad (?:del )?viento|windsnelheid|vindstyrke|vindhastighet|predkosc wiatru',
    'wind_direction': r'(?:true )?wind ?(?:direction|dir|from|bearing)(?: true| referenced to north)?|twd|'
                      r'tw dir(?:ection)?|windricht(?:ung)?|direction (?:du )?vent|vent reel direction|'
                      r'direccion (?:del )?viento|windrichting|vindretning|kierunek wiatru',
    'wind_towards': r'(?:true )?wind ?(?:direction |dir |blowing |going )?(?:to|towards?)',
    'wind_x': r'wind (?:x|east|e|u)', 'wind_y': r'wind (?:y|north|n|v)',
    'apparent_wind_speed': r'aws|(?:apparent|relative|rel|app) wind (?:speed|spd|velocity)|aw (?:speed|spd)|'
                           r'wind (?:speed|spd) (?:apparent|relative|rel)|vitesse (?:du )?vent apparent|'
                           r'scheinbare windgeschw(?:indigkeit)?|velocidad (?:del )?viento aparente',
    'apparent_wind_angle': r'awa|(?:apparent|relative|rel|app) wind (?:angle|ang)|aw (?:angle|ang)|'
                           r'(?:relative|rel) wind (?:direction|dir)|wind (?:angle|ang) (?:apparent|relative|rel)|'
                           r'angle (?:du )?vent apparent|scheinbarer windwinkel|angulo (?:del )?viento aparente',
    'true_wind_angle': r'twa|(?:true )?wind (?:angle|ang)(?: true)?(?: water| ground)?|tw (?:angle|ang)|'
                       r'angle (?:du )?vent (?:reel|vrai)|(?:wahrer )?windwinkel|angulo (?:del )?viento real',
    'apparent': r'awd|(?:apparent|app) wind (?:direction|dir)|wind (?:direction|dir) (?:apparent|relative)',
    'current_speed': r'(?:water |sea |ocean )?current (?:speed|velocity|rate)|drift|drift speed|water speed current|'
                     r'stromungsgeschwindigkeit|vitesse (?:du )?courant',
    'current_direction': r'(?:water |sea |ocean )?current '
                         r'(?:(?:direction|dir|set) ?)?(?:towards?|to|bearing|direction|dir|set)|set|drift direction|'
                         r'stromungsrichtung|direction (?:du )?courant',
    'current_x': r'(?:water |sea |ocean )?current (?:x|east|e|u)|water (?:u|x|east)|uo|u (?:water|current)',
    'current_y': r'(?:water |sea |ocean )?current (?:y|north|n|v)|water (?:v|y|north)|vo|v (?:water|current)',
    'volts': BATTERY + r'(?:volt|volts|voltage|spannung|tension|tensione|tensao|voltaje|voltage total|spanning|'
             r'spenning|napiecie)|v ?batt?|batt?(?:ery)? ?v|u ?batt?|sys_?volt|vfas',
    'amperes': BATTERY + r'(?:amps?|amperes?|amperage|curr?|strom|stromstarke|courant|intensite|'
               r'corriente|corrente|stroom|prad|natezenie(?: pradu)?)|i '
    '?batt?|'
               r'batt?(?:ery)? ?(?:a|i)|(?:battery|batt|bat|bus|main|pack|supply|total|motor|input|akku) ?\d? current|'
               r'current (?:draw|drawn|battery|consumption|total|in)|(?:dc|input) current',
    'current': r'current',
    'electrical_power': BATTERY + r'(?:electrical |instant(?:aneous)? |consumed )?(?:power|watts?|pwr|leistung|'
                        r'puissance|potencia|potenza|vermogen|effekt|moc)'
                        r'(?: consumption| draw| total| consumed)?|p ?batt?',
    'battery': rf'(?:{PACK}) ?\d?', 'v_or_volts': 'v', 'i_or_amperes': 'i|a', 'w_or_power': 'w|p',
}
PATTERNS = {name: re.compile(words) for name, words in WORDS.items()}
OF_THRUSTERS = {'revolutions': r'rpm|revolutions|revs|speed rpm|drehzahl|regime|tours|rotation|rpms',
                'thrust': r'thrust|force|schub|poussee|empuje', 'command': r'pwm|pulse|output|us|out',
                'throttle': r'throttle|gas|duty|duty cycle|power percent|pct'}
# Which quantity of a column map a meaning is, where it is another word for one.
KINDS = {'date': 'time', 'clock': 'time', 'east': 'x', 'north': 'y', 'x_ned': 'x', 'y_ned': 'y', 'heading': 'yaw',
         'magnetic': 'yaw', 'velocity_east': 'velocity_x', 'velocity_north': 'velocity_y',
         'vx': 'velocity_x', 'vy': 'velocity_y', 'apparent': 'wind_direction', 'wind_towards': 'wind_direction',
         'current': 'amperes', 'v_or_volts': 'volts', 'i_or_amperes': 'amperes', 'w_or_power': 'electrical_power'}
# Of which of several quantities a header without a unit may be; a unit tells which.
EITHER = {'current': ('amperes', 'current_speed'), 'v_or_volts': ('volts', 'v'),
          'battery': ('volts', 'amperes', 'electrical_power')}

# How units are written, without spaces and in small letters, by the kind of the quantity.
SPELLINGS: dict[str, dict[str, str]] = {
    'time': {'s': 's sec secs second seconds sek sekunden', 'ms': 'ms msec msecs millis millisecond milliseconds',
             'us': 'us usec usecs micros microseconds', 'ns': 'ns nsec nsecs nanos nanoseconds', 'min': 'min minutes',
             'h': 'h hours', 'calendar': 'utc iso iso8601 gmt'},
    'length': {'m': 'm meter meters metre metres', 'mm': 'mm', 'cm': 'cm', 'km': 'km', 'ft': 'ft feet', 'nmi': 'nmi '
    'nm'},
    'angle': {'deg': 'deg degs degree degrees grad degt degm degtrue degmag grados degres', 'rad': 'rad rads radian '
    'radians',
              'cdeg': 'cdeg'},
    'geographic': {'deg': 'deg degs degree degrees grad grados degres dd decimaldegrees wgs84', 'rad': 'rad radians',
                   'degE7': 'dege7 e7 1e7 deg*1e7 dege-7 degx1e7', 'degE6': 'dege6 e6 1e6 deg*1e6 microdegrees'},
    'speed': {'m/s': 'm/s mps m_s ms ms-1 m.s-1 m/sec msec mpersec', 'cm/s': 'cm/s cmps cm_s', 'mm/s': 'mm/s mmps mm_s',
              'km/h': 'km/h kmh kph kmph km_h kmhr km/hr', 'kn': 'kn kt kts knot knots knoten noeuds noeud nds nd '
              'nudos nodi nos knop knopen wezly wezlow w',
              'mph': 'mph mi/h', 'ft/s': 'ft/s fps'},
    'rate': {'rad/s': 'rad/s radps rad_s rads rads-1 rad/sec', 'deg/s': 'deg/s dps deg_s degps degs degs-1 deg/sec',
             'deg/min': 'deg/min deg_min degmin dpm', 'rpm': 'rpm'},
    'force': {'N': 'n newton newtons', 'kN': 'kn', 'kgf': 'kgf kg', 'lbf': 'lbf lbs lb'},
    'command': {'us': 'us usec pwm micros microseconds', 'ms': 'ms'},
    'voltage': {'V': 'v volt volts vdc', 'mV': 'mv millivolts', 'cV': 'cv', 'dV': 'dv'},
    'current': {'A': 'a amp amps ampere amperes adc', 'mA': 'ma milliamps', 'cA': 'ca', 'dA': 'da'},
    'revolutions': {'rpm': 'rpm 1/min min-1 u/min tr/min r/min', '1/s': '1/s rps hz s-1', 'rad/s': 'rad/s rad_s rads'},
    'quaternion': {'-': ''},
    'power': {'W': 'w watt watts', 'kW': 'kw', 'mW': 'mw'},
}
UNIT_OF = {kind: {spelling: unit for unit, all_of_it in units.items() for spelling in all_of_it.split()}
           for kind, units in SPELLINGS.items()}
LIGATURES = str.maketrans({'ł': 'l', 'Ł': 'L', 'ø': 'o', 'Ø': 'O', 'æ': 'ae', 'Æ': 'Ae', 'œ': 'oe', 'Œ': 'Oe',
                           'ß': 'ss'})
OF_NEEDLE = frozenset(('m', 'mag', 'degm', 'degmag'))  # How a heading says that it is magnetic, where its unit stands.
MOST_UNIT_WORDS = 3   # `m s 2` at the end of a header.
# Before the name of a message of MAVLink, as Cockpit writes its variables; the units as sent, in whole numbers; the
# angle that goes from north, in radians too; the clock, which says when a value was new, not when it was noted.
MAVLINK = re.compile(r'(?:data\.)?/?mavlink/\d+/\d+/')
OF_MAVLINK = {'SYS_STATUS/voltage_battery': ('volts', 'mV'), 'SYS_STATUS/current_battery': ('amperes', 'cA'),
              'GLOBAL_POSITION_INT/vx': ('vx', 'cm/s'), 'GLOBAL_POSITION_INT/vy': ('vy', 'cm/s'),
              'ATTITUDE/yaw': ('heading', '')}
YAW_OF_MAVLINK, CLOCK_OF_MAVLINK = 'ATTITUDE/yaw', '/time_boot_ms'
OF_ARRAY = re.compile(r'\bq\[([0-3])\]$')  # PX4's quaternion, as ulog2csv writes it.
BRACKETED = re.compile(r'[\[(<{]([^\])>}]*)[\])>}]')
CAMEL = re.compile(r'(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])')


class Meaning(NamedTuple):
    """
    What a header says: a key of WORDS or OF_THRUSTERS, its unit, '' where it does not say one, and whose it is.

    `thruster`: its name, '' of the boat's own quantities.
    """

    name: str
    unit: str
    thruster: str = ''

    @property
    def quantity(self) -> str:
        """The quantity of a column map."""
        return KINDS.get(self.name, self.name)


def meaning_of(header: str) -> Meaning | None:
    """Return what a header says; None where it says nothing that a log holds."""
    if not any(map(str.isalpha, header)):   # A cell of a row of numbers.
        return None
    header = MAVLINK.sub('', OF_ARRAY.sub(lambda found: f'q{"wxyz"[int(found[1])]}', header), 1)
    message = header.removeprefix('data.')
    if message in OF_MAVLINK:
        return Meaning(*OF_MAVLINK[message])
    brackets = BRACKETED.findall(header)
    words = _words(BRACKETED.sub(' ', header))
    if not words and brackets:
        words, brackets = _words(' '.join(brackets)), []
    for last in range(len(words), max(len(words) - MOST_UNIT_WORDS, 0) - 1, -1):
        ends = ''.join(words[last:]), '_'.join(words[last:])
        if last < len(words) and brackets:
            break
        units: tuple[str, ...] = ends if last < len(words) else tuple(map(_bare, brackets))
        if (found := _meaning(words[:last], units)) is not None:
            return found
    bare = ''.join(words)
    return Meaning('time', bare) if bare in ('ms', 'us', 'ns') else None


def _meaning(words: list[str], units: tuple[str, ...]) -> Meaning | None:
    """Return what words and possible spellings of a unit say."""
    said = [word for word in words if word not in NEUTRAL]
    for kept in ([words] if words != said else []) + ([said] if said else []):
        text = ' '.join(dict.fromkeys(kept))
        for name in (name for name, pattern in PATTERNS.items() if pattern.fullmatch(text)):
            for quantity in EITHER.get(name, (KINDS.get(name, name),)):
                if (unit := _unit(quantity, units)) is not None and (unit or name != 'battery'):
                    of_needle = name == 'heading' and OF_NEEDLE & set(units)
                    return Meaning('magnetic' if of_needle else quantity if unit and name in EITHER else name, unit)
    if set(said) & OTHERS - {'command', 'percent', 'cmd'}:
        return None
    return _of_thruster(said, units)


def _of_thruster(words: list[str], units: tuple[str, ...]) -> Meaning | None:
    text = ' '.join(words)
    for name, pattern in OF_THRUSTERS.items():
        if (found := re.search(rf'(?:^| )(?:{pattern})(?: |$)', text)) is None:
            continue
        rest = f'{text[:found.start()]} {text[found.end():]}'.split()
        rest = [word for word in rest if not re.fullmatch(OF_THRUSTER + r'|cmd|command|actual|percent|speed', word)]
        if len(rest) > 1:
            return None
        side = next((one for one, all_of_it in SIDES.items() if rest and re.fullmatch(all_of_it, rest[0])), '')
        numbered = rest[0].lstrip('mtesc') if rest else ''
        if rest and not side and not numbered.isdigit():
            return None
        unit = _unit(name, units) if name != 'throttle' else ''
        return Meaning(name, unit or '', side or (f'thruster_{numbered}' if numbered else 'thruster'))
    return None


def _unit(quantity: str, spellings: tuple[str, ...]) -> str | None:
    """Return the unit that one of some spellings is for a quantity, '' for no spelling; None where it has none such."""
    spellings = tuple(one for one in spellings if one)
    if not spellings:
        return ''
    known = UNIT_OF[QUANTITIES[quantity].kind]
    found = next((known[one] for one in spellings if one in known), None)
    no_unit = found is None and all(one in ('true', 't', 'mag', 'm', 'utc', 'local', '-') for one in spellings)
    return '' if no_unit else found


def _bare(unit: str) -> str:
    """Return a unit in small letters, without spaces, and with `deg` for its sign."""
    plain = _ascii(unit.replace('°', 'deg').replace('µ', 'u').replace('μ', 'u').replace('²', '2').replace('⁻¹', '-1'))
    return re.sub(r'[\s·^]', '', plain).lower()


def unit_row(cells: list[str]) -> bool:
    """Return whether cells are units and nothing else: a second line of headers that some loggers write."""
    known = {spelling for units in UNIT_OF.values() for spelling in units}
    bare = [_bare(cell.strip().strip('[]()')) for cell in cells]
    there = [cell for cell in bare if cell and cell != '-']
    return bool(there) and all(cell in known or not any(map(str.isdigit, cell)) for cell in there) and (
        sum(cell in known for cell in there) * 2 > len(there))


def _words(text: str) -> list[str]:
    text = CAMEL.sub(' ', _ascii(text.replace('°', ' deg ').replace('µ', 'u')))
    return [word for word in re.split(r'[^A-Za-z0-9]+', text.lower()) if word]


def _ascii(text: str) -> str:
    """Return a text without accents."""
    text = text.translate(LIGATURES)
    return ''.join(one for one in unicodedata.normalize('NFKD', text) if not unicodedata.combining(one))
