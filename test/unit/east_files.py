"""
One boat that goes 1 m/s east for 120 s, in the files of many kinds of loggers.

Lutra Prop needs 1957.8 J for it in still water: 120 s of its drag at 1 m/s.
"""

import functools
import json
import operator
import struct
from datetime import datetime, timedelta, timezone

import numpy as np

from usv_energy.earth import LocalPlane

ENERGY = 1957.8  # J
TIME = np.arange(121.0)
LATITUDE, LONGITUDE = LocalPlane((45.6, 9.5)).to_geodetic(TIME, 0.0 * TIME)
BEGIN = datetime(2024, 5, 1, 23, 59, 0, tzinfo=timezone.utc)  # Midnight comes after a minute.
KNOTS = 3600.0 / 1852.0
NEW_LINE = r'\N'  # Of subtitles.


def moment(seconds):
    return BEGIN + timedelta(seconds=float(seconds))


def iso(seconds):
    return moment(seconds).isoformat(timespec='milliseconds').replace('+00:00', 'Z')


def sentence(text):
    return f'${text}*{functools.reduce(operator.xor, text.encode()):02X}'


def degrees_minutes(value, digits):
    return f'{int(value):0{digits}d}{value % 1.0 * 60.0:09.6f}'


def place_of(row):
    return f'{degrees_minutes(LATITUDE[row], 2)},N,{degrees_minutes(LONGITUDE[row], 3)},E'


def rmc(row, speed=KNOTS, course=90.0):
    when = moment(TIME[row])
    return sentence(f'GPRMC,{when:%H%M%S}.00,A,{place_of(row)},{speed:.3f},{course:.1f},{when:%d%m%y},,,A')


def nmea(path):
    lines = [f'{rmc(row)}\r\n{sentence("HEHDT,90.0,T")}\r\n{sentence("HEHDT,90.0,T")}' for row in range(TIME.size)]
    path.write_text('\r\n'.join(lines) + '\r\n')


def nmea_of_gga_and_vtg(path):
    """Without a date, with a magnetic heading and its variation, behind a logger's own time, and with AIS between."""
    lines = []
    for row in range(TIME.size):
        gga = sentence(f'GNGGA,{moment(TIME[row]):%H%M%S.00},{place_of(row)},4,12,0.7,3.0,M,47.0,M,,')
        lines += [gga, sentence(f'GNVTG,90.0,T,,M,{KNOTS:.3f},N,3.600,K,D'), sentence('IIHDG,88.0,,,2.0,E'),
                  '!AIVDM,1,1,,A,13u?etPv2;0n:dDPwUM1U1Cb069D,0*24']
    path.write_text('\n'.join(f'{iso(number // 4)} {line}' for number, line in enumerate(lines)) + '\n')


def signal_k(path):
    lines = []
    for row in range(TIME.size):
        values = [{'path': 'navigation.position', 'value': {'longitude': LONGITUDE[row], 'latitude': LATITUDE[row]}},
                  {'path': 'navigation.speedOverGround', 'value': 1.0},
                  {'path': 'navigation.courseOverGroundTrue', 'value': 0.5 * np.pi},
                  {'path': 'navigation.headingMagnetic', 'value': 0.5 * np.pi - 0.03},
                  {'path': 'navigation.magneticVariation', 'value': 0.03}]
        lines.append(json.dumps({'context': 'vessels.self', 'updates': [
            {'$source': 'gps', 'timestamp': iso(TIME[row]), 'values': values}]}))
    path.write_text('\n'.join(lines) + '\n')


def signal_k_history(path):
    rows = [[iso(TIME[row]), [LONGITUDE[row], LATITUDE[row]], 1.0] for row in range(TIME.size)]
    path.write_text(json.dumps({'context': 'vessels.self', 'values': [
        {'path': 'navigation.position'}, {'path': 'navigation.speedOverGround', 'method': 'average'}],
        'range': {'from': iso(TIME[0]), 'to': iso(TIME[-1])}, 'data': rows}))


def alog(path):
    lines = ['%%%%%%%%%%%%%%%%%%%%%%%%%%', '%% LOG FILE:       ./boat/boat.alog', '%% FILE OPENED ON Wed May 1 2024',
             '%% LOGSTART               1714607940.5', '%%%%%%%%%%%%%%%%%%%%%%%%%%']
    for time in TIME:
        lines += [f'{time:<15.5f} {name:<20} {node:<12} {value}' for name, node, value in (
            ('NAV_X', 'uSimMarineV22', time), ('NAV_Y', 'uSimMarineV22', 0), ('NAV_HEADING', 'uSimMarineV22', 90.0),
            ('NAV_SPEED', 'uSimMarineV22', 1.0), ('DESIRED_THRUST', 'pMarinePIDV22', 40.0),
            ('NODE_REPORT_LOCAL', 'pNodeReporter', 'NAME=boat,X=1,Y=2'), ('IVPHELM_STATE', 'pHelmIvP', 'DRIVE'))]
    path.write_text('\n'.join(lines) + '\n')


def gpx(path):
    points = '\n'.join(f'<trkpt lat="{north:.8f}" lon="{east:.8f}"><ele>0</ele><time>{iso(time)}</time></trkpt>'
                       for time, north, east in zip(TIME, LATITUDE, LONGITUDE))
    path.write_text('<?xml version="1.0"?>\n<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">'
                    f'<trk><trkseg>{points}</trkseg></trk></gpx>\n')


def gpx_with_speed(path):
    """As GPX 1.0 and Garmin's extension have it, in two segments, the later one first."""
    points = [f'<trkpt lat="{north:.8f}" lon="{east:.8f}"><time>{iso(time)}</time><extensions><g:TrackPointExtension>'
              '<g:speed>1.0</g:speed><g:course>90.0</g:course></g:TrackPointExtension></extensions></trkpt>'
              for time, north, east in zip(TIME, LATITUDE, LONGITUDE)]
    path.write_text('<gpx version="1.1" creator="x" xmlns:g="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">'
                    f'<trk><trkseg>{"".join(points[60:])}</trkseg><trkseg>{"".join(points[:60])}</trkseg></trk></gpx>')


def kml(path):
    whens = ''.join(f'<when>{iso(time)}</when>' for time in TIME)
    coords = ''.join(f'<gx:coord>{east:.8f} {north:.8f} 0</gx:coord>' for north, east in zip(LATITUDE, LONGITUDE))
    path.write_text('<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>'
                    f'<Placemark><gx:Track>{whens}{coords}</gx:Track></Placemark></Document></kml>')


def kml_of_points(path):
    marks = ''.join(f'<Placemark><TimeStamp><when>{iso(time)}</when></TimeStamp><Point><coordinates>{east:.8f},'
                    f'{north:.8f},0</coordinates></Point></Placemark>'
                    for time, north, east in zip(TIME, LATITUDE, LONGITUDE))
    path.write_text(f'<kml xmlns="http://www.opengis.net/kml/2.2"><Document>{marks}</Document></kml>')


def geojson(path):
    properties = {'time': iso(0.0), 'coordTimes': [iso(time) for time in TIME]}  # of the whole, and of each place
    feature = {'type': 'Feature', 'properties': properties, 'geometry': {
        'type': 'LineString', 'coordinates': [[east, north] for north, east in zip(LATITUDE, LONGITUDE)]}}
    path.write_text(json.dumps({'type': 'FeatureCollection', 'features': [feature]}))


def geojson_of_points(path):
    features = [{'type': 'Feature', 'properties': {'timestamp': 1000 * moment(time).timestamp(), 'speed': 1.0},
                 'geometry': {'type': 'Point', 'coordinates': [east, north]}}
                for time, north, east in zip(TIME, LATITUDE, LONGITUDE)]
    path.write_text(json.dumps({'type': 'FeatureCollection', 'features': features}))


def tcx(path):
    points = ''.join(f'<Trackpoint><Time>{iso(time)}</Time><Position><LatitudeDegrees>{north:.8f}</LatitudeDegrees>'
                     f'<LongitudeDegrees>{east:.8f}</LongitudeDegrees></Position></Trackpoint>'
                     for time, north, east in zip(TIME, LATITUDE, LONGITUDE))
    path.write_text('<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">'
                    f'<Activities><Activity><Lap><Track>{points}</Track></Lap></Activity></Activities>'
                    '</TrainingCenterDatabase>')


def dataflash_text(path):
    lines = ['FMT, 128, 89, FMT, BBnNZ, Type,Length,Name,Format,Columns',
             'FMT, 96, 70, XKF1, QBccCfffffff, TimeUS,C,Roll,Pitch,Yaw,VN,VE,VD,dPD,PN,PE,PD',
             'FMT, 64, 40, PARM, QNf, TimeUS,Name,Value', 'FMT, 65, 80, MSG, QZ, TimeUS,Message',
             'PARM, 1000, FRAME_CLASS, 2.000000', 'MSG, 1001, ArduRover V4.5.0 (abc), boat']
    lines += [f'XKF1, {1_000_000 + int(1e6 * time)}, 0, 0.0, 0.0, 90.0, 0.0, 1.0, 0.0, 0.0, 0.0, {time}, 0.0'
              for time in TIME]
    path.write_text('\n'.join(lines) + '\n')


def table(path, header, row):
    path.write_text('\n'.join([header, *(row(number) for number in range(TIME.size))]) + '\n')


def table_of_a_plotter(path):
    table(path, 'Date,Time,Latitude,Longitude,SOG (kn),COG (°T),HDG (°T)', lambda k: (
        f'{moment(TIME[k]):%m/%d/%Y},{moment(TIME[k]):%I:%M:%S %p},{LATITUDE[k]:.8f},{LONGITUDE[k]:.8f},'
        f'{KNOTS:.3f},90,90'))


def table_without_units(path):
    table(path, 'timestamp;Breite;Länge;Geschwindigkeit;Kurs', lambda k: (
        f'{1000 * int(moment(TIME[k]).timestamp())};{LATITUDE[k]:.8f};{LONGITUDE[k]:.8f};{KNOTS:.3f};90'.replace('.',
                                                                                                                 ',')))


def table_of_ros(path):
    table(path, '%time,field.pose.pose.position.x,field.pose.pose.position.y,field.pose.pose.orientation.x,'
          'field.pose.pose.orientation.y,field.pose.pose.orientation.z,field.pose.pose.orientation.w,'
          'field.twist.twist.linear.x,field.twist.twist.linear.y,field.twist.twist.angular.z',
          lambda k: f'{int(1e9 * moment(TIME[k]).timestamp())},{TIME[k]},0,0,0,0,1,1.0,0,0')


def table_of_an_autopilot(path):
    table(path, 'TimeUS,VN,VE,PN,PE,Yaw', lambda k: f'{int(1e6 * TIME[k])},0,1.0,0,{TIME[k]},90.0')


def cockpit_texts(row):
    when = moment(TIME[row])
    return {'Heading': '90.0 °', 'Roll': '0.1 °', 'Depth': '0.0 m', 'Mode': 'MANUAL', 'Battery voltage': '15.90 V',
            'Battery current': '2.10 A', 'Latitude': f'{LATITUDE[row]:.8f} °', 'Longitude': f'{LONGITUDE[row]:.8f} °',
            'Time': f'{when:%H:%M:%S} GMT+0', 'Date': f'{when:%b %d, %Y}', 'Instantaneous power': '33.4 W'}


def cockpit(path):
    """As BlueRobotics' Cockpit writes it: texts with units, a clock in two of them, and the epoch in ms."""
    path.write_text(json.dumps([{'epoch': int(1e3 * moment(TIME[row]).timestamp()), 'data': {
        name: {'value': value, 'lastChanged': 0, 'displayName': name} for name, value in cockpit_texts(row).items()}}
        for row in range(TIME.size)]))


def cockpit_subtitles(path):
    """The same laid over its video: what is at the left bottom and right bottom, a line each."""
    lines = ['[Script Info]', 'Title: Cockpit Subtitle Telemetry file', 'ScriptType: v4.00+', '', '[Events]',
             'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text']
    for row in range(TIME.size):
        texts = [f'{name}: {value}' for name, value in cockpit_texts(row).items()]
        lines += [f'Dialogue: 0,{clock_of(row)},{clock_of(row + 1)},{place},,0,0,0,,{NEW_LINE.join(some)}'
                  for place, some in (('LeftBottom', texts[:5]), ('RightBottom', texts[5:]), ('CenterTop', []))]
    path.write_text('\n'.join(lines) + '\n')


def cockpit_variables(path):
    """As newer ones export what MAVLink says, in its units, by the names of its messages."""
    def row(k):
        values = (round(1e7 * LATITUDE[k]), round(1e7 * LONGITUDE[k]), 0, 100, 9000, 1.570796, 15900 - k, 210 + k)
        return f'{1e3 * moment(TIME[k]).timestamp():.0f},{iso(TIME[k])},{",".join(map(str, values))}'
    table(path, 'epoch,timestamp,' + ','.join(f'/mavlink/1/1/{name}' for name in (
        'GLOBAL_POSITION_INT/lat', 'GLOBAL_POSITION_INT/lon', 'GLOBAL_POSITION_INT/vx', 'GLOBAL_POSITION_INT/vy',
        'GLOBAL_POSITION_INT/hdg', 'ATTITUDE/yaw', 'SYS_STATUS/voltage_battery', 'SYS_STATUS/current_battery')), row)


def clock_of(row):
    return f'0:{row // 60:02d}:{row % 60:02d}.00'


def json_lines(path):
    path.write_text('\n'.join(json.dumps({'ts': iso(time), 'gps': {'lat': north, 'lon': east, 'sog_kn': KNOTS},
                                          'hdg': 90})
                              for time, north, east in zip(TIME, LATITUDE, LONGITUDE)))


def bus_frames():
    """Give time, message and bytes of a bus: position, course and speed, heading, and a battery that discharges."""
    for time, north, east in zip(TIME, LATITUDE, LONGITUDE):
        quarter = round(0.5e4 * np.pi)  # 1e-4 rad, clockwise from north
        yield time, 129025, struct.pack('<ii', round(1e7 * north), round(1e7 * east))
        yield time, 129026, struct.pack('<BBHHH', 1, 0xFC, quarter, 100, 0xFFFF)
        yield time, 127250, struct.pack('<BHhhB', 1, quarter, 0x7FFF, 0x7FFF, 0xFC)
        yield time, 127508, struct.pack('<BhhHB', 0, 2410, -35, 0xFFFF, 1)


def candump(path):
    path.write_text('\n'.join(f'({moment(time).timestamp():.6f}) can0 {0x08000000 | number << 8 | 35:08X}#{data.hex()}'
                              for time, number, data in bus_frames()) + '\n')


def canboat_raw(path):
    path.write_text('\n'.join(f'{moment(time):%Y-%m-%d-%H:%M:%S}.000,2,{number},35,255,8,{data.hex(",")}'
                              for time, number, data in bus_frames()) + '\n')


def bst(number, data, milliseconds, sender=35):
    """Give NMEA 2000's message as Actisense's gateway sends it (BST-93), without its checksum."""
    return struct.pack('<BBBHBBBIB', 0x93, 11 + len(data), 2, number & 0xFFFF, number >> 16, 255, sender,
                       milliseconds % 2**32, len(data)) + data


def bdtp(message):
    """Give a message with its checksum and what frames it on a line."""
    return b'\x10\x02' + (message + bytes([-sum(message) & 0xFF])).replace(b'\x10', b'\x10\x10') + b'\x10\x03'


def ebl_tag(kind, content):
    return b'\x1b\x01' + (bytes([kind]) + content).replace(b'\x1b', b'\x1b\x1b') + b'\x1b\n'


def ebl_moment(seconds):
    return ebl_tag(3, struct.pack('<Q', round(1e7 * (moment(seconds).timestamp() + 11_644_473_600.0))))


def ebl(path):
    """As Actisense's gateways and programs log: a moment, the version, then a moment and messages for each second."""
    parts = [ebl_moment(0.0), ebl_tag(1, struct.pack('<I', 1002))]
    for time, number, data in bus_frames():
        parts += [ebl_moment(time)] if number == 129025 else []
        parts.append(bdtp(bst(number, data, 4_294_960_000 + int(1e3 * time))).replace(b'\x1b', b'\x1b\x1b'))
    path.write_bytes(b''.join(parts))


def table_of_compounds(path):
    """With the parts of a date and units in the cells, and both of a place in one column."""
    table(path, 'year,month,day,hour,minute,second,position,speed,heading', lambda k: (
        f'{moment(TIME[k]):%Y,%m,%d,%H,%M,%S},"{LATITUDE[k]:.8f}, {LONGITUDE[k]:.8f}",{KNOTS:.3f} kn,90.0°'))


def solution(path):
    """As RTKLIB writes it, by GPS week and its seconds."""
    head = '% program   : RTKLIB ver.2.4.3', '%  GPST   latitude(deg) longitude(deg)  height(m)   Q'
    path.write_text('\n'.join([*head, *(
        f'2312 {moment(time).timestamp() - 1_714_262_382.0:.3f}   {north:.9f}   {east:.9f}   40.1   1'
        for time, north, east in zip(TIME, LATITUDE, LONGITUDE))]) + '\n')


def trace(path):
    """As Vector's programs write it."""
    path.write_text('date Wed May 1 23:59:00.000 2024\nbase hex  timestamps absolute\n' + '\n'.join(
        f'   {time:.6f} 1  {0x08000000 | number << 8 | 35:08X}x       Rx   d 8 {data.hex(" ").upper()}'
        for time, number, data in bus_frames()) + '\n')


def analyzer(path):
    """As canboat's analyzer prints it."""
    path.write_text('\n'.join(
        f'{moment(time):%Y-%m-%d-%H:%M:%S}.000 2  35 255 129025 Position, Rapid Update:  Latitude = {north:.7f}; '
        f'Longitude = {east:.7f}\n{moment(time):%Y-%m-%d-%H:%M:%S}.000 2  35 255 127250 Vessel Heading:  SID = 1; '
        'Heading = 90.0 deg; Reference = True' for time, north, east in zip(TIME, LATITUDE, LONGITUDE)) + '\n')


def expedition(path):
    """A log of Expedition (v3): numbers of channels with values, times of Windows, and another boat between."""
    lines = ['!Boat,Utc,BSP,TWA,HDG,Lat,Lon,COG,SOG,Port lat', '!boat,0,1,4,13,48,49,50,51,163', '!v12.9.2', '!log=v3',
             '0,133590815400000000,163,43.169903']
    for row in range(TIME.size):
        ticks = round((moment(TIME[row]).timestamp() + 11644473600.0) * 1e7)
        lines += [f'0,{ticks},1,{KNOTS:.4f},13,090.00,48,{LATITUDE[row]:.7f},49,{LONGITUDE[row]:.7f},51,{KNOTS:.4f}',
                  f'5,{ticks},48,45.7,49,9.1,51,11']
    path.write_text('\n'.join(lines) + '\n')


def expedition_of_columns(path):
    """A log of Expedition (v11.15): columns, days of a spreadsheet, angles from magnetic north, 10 deg east."""
    day = 25569.0 + BEGIN.timestamp() / 86400.0
    path.write_text('\n'.join(['!Boat,Utc,BSP,HDG,Lat,Lon,COG,SOG,Mk Lat', '!v11.15.0',
                               f'0,{day - 1e-5:.6f},,,,,,,47.68', *(
        f'0,{day + time / 86400.0:.8f},{KNOTS:.4f},80.0,{north:.7f},{east:.7f},80.0,{KNOTS:.4f}'
        for time, north, east in zip(TIME, LATITUDE, LONGITUDE))]) + '\n')


FILES = {'plotter.csv': table_of_a_plotter, 'units.csv': table_without_units, 'ros.csv': table_of_ros,
         'autopilot.csv': table_of_an_autopilot, 'cockpit.csv': cockpit_variables,
         'rmc.nmea': nmea, 'gga.txt': nmea_of_gga_and_vtg,
         'deltas.jsonl': signal_k, 'history.jsonl': signal_k_history, 'boat.alog': alog,
         'track.gpx': gpx, 'speed.gpx': gpx_with_speed, 'track.kml': kml,
         'points.kml': kml_of_points, 'track.geojson': geojson, 'points.json': geojson_of_points, 'track.tcx': tcx,
         'ardupilot.log': dataflash_text, 'cockpit.clog': cockpit, 'cockpit.ass': cockpit_subtitles,
         'records.jsonl': json_lines, 'expedition.txt': expedition,
         'columns.txt': expedition_of_columns,
         'candump.log': candump, 'bus.raw': canboat_raw, 'bus.ebl': ebl,
         'compound.csv': table_of_compounds, 'solution.pos': solution, 'trace.asc': trace, 'analyzer.txt': analyzer}
