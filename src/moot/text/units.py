"""Units of measure and currencies, English and Chinese, with their exact factors. Data; read by quantities.py."""

from collections.abc import Mapping
from fractions import Fraction

BASE: Mapping[str, str] = {
    "length": "m", "mass": "kg", "area": "m²", "volume": "m³", "time": "s", "years": "year", "energy": "J",
    "power": "W", "temperature": "°C", "data": "B", "speed": "m/s", "frequency": "Hz", "percent": "%",
    "points": "pp", "multiple": "×",
}  # fmt: skip
"""The unit in which quantities of a dimension are given."""

_TABLE = """
length 1 m metre metres meter meters 米
length 1000 km kilometre kilometres kilometer kilometers 公里 千米
length 1/10 dm 分米
length 1/100 cm centimetre centimetres centimeter centimeters 厘米
length 1/1000 mm millimetre millimetres millimeter millimeters 毫米
length 1/1000000 µm μm um micrometre micrometres micrometer micrometers micron microns 微米
length 1/1000000000 nm nanometre nanometres nanometer nanometers 纳米
length 500 里
length 1609344/1000 mi mile miles 英里
length 1852 nmi 海里
length 9144/10000 yd yard yards 码
length 3048/10000 ft foot feet 英尺
length 254/10000 inch inches 英寸
mass 1 kg kilogram kilograms kilogramme kilogrammes 千克 公斤
mass 1/1000 g gram grams gramme grammes 克
mass 1/1000000 mg milligram milligrams 毫克
mass 1/1000000000 µg μg microgram micrograms 微克
mass 1000 t tonne tonnes ton tons 吨
mass 1000000 kt kilotonne kilotonnes
mass 1000000000 Mt megatonne megatonnes
mass 1/2 斤
mass 45359237/100000000 lb lbs pound pounds 磅
mass 28349523125/1000000000000 oz ounce ounces 盎司
area 1 m² m2 sqm 平方米
area 1000000 km² km2 平方公里 平方千米
area 10000 ha hectare hectares 公顷
area 20000/30 亩
area 40468564224/10000000 acre acres 英亩
area 2589988110336/1000000 sqmi 平方英里
area 9290304/100000000 sqft 平方英尺
volume 1 m³ m3 立方米
volume 1000000000 km³ km3 立方公里
volume 28316846592/1000000000000 cuft 立方英尺
volume 3785411784/1000000000000 gallon gallons 加仑
volume 1/1000 l L litre litres liter liters 升
volume 1/1000000 ml mL millilitre millilitres milliliter milliliters 毫升
volume 158987294928/1000000000000 barrel barrels bbl 桶
time 1 s sec second seconds 秒
time 1/1000 ms millisecond milliseconds 毫秒
time 60 min minute minutes 分钟
time 3600 h hour hours 小时 个小时 钟头 个钟头
time 86400 day days 天
time 604800 week weeks 周 星期 个星期
years 1/12 month months 个月
years 1 year years yr yrs 年 周年
years 10 decade decades
energy 1 J joule joules 焦耳
energy 1000 kJ kilojoule kilojoules 千焦
energy 1000000 MJ megajoule megajoules 兆焦
energy 3600 Wh
energy 3600000 kWh 千瓦时 度电
energy 3600000000 MWh 兆瓦时
energy 3600000000000 GWh 吉瓦时
energy 3600000000000000 TWh 太瓦时
power 1 W watt watts 瓦
power 1000 kW kilowatt kilowatts 千瓦
power 1000000 MW megawatt megawatts 兆瓦
power 1000000000 GW gigawatt gigawatts 吉瓦
power 1000000000000 TW terawatt terawatts 太瓦
data 1 B byte bytes 字节
data 1000 kB KB kilobyte kilobytes
data 1000000 MB megabyte megabytes
data 1000000000 GB gigabyte gigabytes
data 1000000000000 TB terabyte terabytes
data 1000000000000000 PB petabyte petabytes
data 1024 KiB
data 1048576 MiB
data 1073741824 GiB
data 1099511627776 TiB
speed 1 m/s
speed 5/18 km/h kmh kph 公里/小时 千米/小时 公里每小时
speed 44704/100000 mph
frequency 1 Hz hertz 赫兹
frequency 1000 kHz
frequency 1000000 MHz
frequency 1000000000 GHz
temperature 1 °C ℃ celsius 摄氏度
percent 1 % percent pct
percent 1/10 ‰
points 1 pp 个百分点 百分点
points 1/100 bp bps 个基点 基点
money:USD 1 USD dollar dollars 美元 美金
money:EUR 1 EUR € euro euros 欧元
money:GBP 1 GBP 英镑
money:JPY 1 JPY yen 日元 日圆
money:CNY 1 CNY RMB yuan renminbi 元 块钱 人民币 元人民币
money:USD 1/100 cent cents 美分
money:HKD 1 HKD 港元 港币
money:INR 1 INR rupee rupees 卢比
money:CHF 1 CHF francs 瑞士法郎
money:KRW 1 KRW won 韩元
money:AUD 1 AUD 澳元
money:CAD 1 CAD 加元
money:SGD 1 SGD 新元 新加坡元
money:TWD 1 TWD 新台币 台币
money:RUB 1 RUB rouble roubles ruble rubles 卢布
money:SEK 1 SEK kronor krona
money:NOK 1 NOK kroner
money:BRL 1 BRL reais
money:DKK 1 DKK
money:MXN 1 MXN pesos peso
"""


def _units() -> dict[str, tuple[str, Fraction]]:
    read: dict[str, tuple[str, Fraction]] = {}
    for line in _TABLE.strip().splitlines():
        dimension, factor, *names = line.split()
        read |= {name: (dimension, Fraction(factor)) for name in names}
    return read


UNITS: Mapping[str, tuple[str, Fraction]] = _units()
"""A unit as it is written → (its dimension, how many of the dimension's base unit it is)."""

PHRASES: Mapping[str, str] = {
    "percentage points": "pp", "percentage point": "pp", "percent points": "pp", "basis points": "bp", "per cent": "%",
    "square metres": "m²", "square meters": "m²", "square kilometres": "km²", "square kilometers": "km²",
    "cubic metres": "m³", "cubic meters": "m³", "square metre": "m²", "square meter": "m²", "cubic metre": "m³",
    "cubic meter": "m³", "cubic kilometres": "km³", "cubic kilometers": "km³", "kilometres per hour": "km/h",
    "kilometers per hour": "km/h", "metres per second": "m/s", "meters per second": "m/s", "miles per hour": "mph",
    "kilowatt hours": "kWh", "kilowatt-hours": "kWh", "megawatt hours": "MWh", "megawatt-hours": "MWh",
    "gigawatt hours": "GWh", "gigawatt-hours": "GWh", "terawatt hours": "TWh", "terawatt-hours": "TWh",
    "degrees celsius": "°C", "degrees fahrenheit": "°F", "pounds sterling": "GBP", "us dollars": "USD",
    "u.s. dollars": "USD", "hong kong dollars": "HKD",
    "australian dollars": "AUD", "canadian dollars": "CAD", "singapore dollars": "SGD", "swiss francs": "CHF",
    "japanese yen": "JPY", "chinese yuan": "CNY", "danish kroner": "DKK", "metric tons": "t", "metric tonnes": "t",
    "metric ton": "t", "square miles": "sqmi", "square mile": "sqmi", "square feet": "sqft", "cubic feet": "cuft",
    "watt hours": "Wh", "watt-hours": "Wh",
}  # fmt: skip
"""Units of several words → the unit they are."""

SIGNS: Mapping[str, str] = {
    "US$": "USD", "HK$": "HKD", "A$": "AUD", "C$": "CAD", "S$": "SGD", "NT$": "TWD", "R$": "BRL", "$": "USD",
    "€": "EUR", "£": "GBP", "¥": "CNY", "￥": "CNY", "USD": "USD", "EUR": "EUR",
    "GBP": "GBP", "CNY": "CNY", "RMB": "CNY", "JPY": "JPY", "CHF": "CHF", "₹": "INR", "₩": "KRW",
}  # fmt: skip
"""What stands before an amount of money → its currency."""

SCALES: Mapping[str, int] = {
    "thousand": 10**3, "million": 10**6, "millions": 10**6, "billion": 10**9, "billions": 10**9, "trillion": 10**12,
    "dozen": 12,
    "十": 10, "百": 10**2, "千": 10**3, "万": 10**4, "十万": 10**5, "百万": 10**6, "千万": 10**7, "亿": 10**8,
    "十亿": 10**9, "百亿": 10**10, "千亿": 10**11, "万亿": 10**12,
}  # fmt: skip
MONEY_SCALES: Mapping[str, int] = {
    "k": 10**3, "K": 10**3, "m": 10**6, "M": 10**6, "mn": 10**6, "bn": 10**9, "b": 10**9, "B": 10**9, "tn": 10**12,
    "T": 10**12,
}  # fmt: skip
"""Short scales, read only beside a currency: `$3.2bn`, `3.2m euros`; `bn` and `tn` anywhere."""
