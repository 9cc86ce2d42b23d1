"""Short unlabelled pages of every charset that a page may come in without a label: 70 bytes of text and more."""

import pytest

from moot.web.faults import Unreadable
from moot.web.readable import readable

TEXTS = {
    "big5": (
        "本館將於下週一起閉館整修，預計至十月底重新開放，敬請見諒，詳情請洽櫃台。",
        "這家小店賣的牛肉麵湯頭濃郁，每碗一百二十元，假日常常大排長龍。",
        "氣象局指出，颱風將於週末逼近東部海面，民眾應提早做好防颱準備。",
        "下載本軟體前請先閱讀使用條款，若不同意請勿安裝，謝謝您的合作。",
        "學生應於開學前繳清學費，逾期者須另付手續費新台幣三百元整。",
    ),
    "gb18030": (
        "本馆将于下周一起闭馆整修，预计十月底重新开放，敬请谅解，详情请咨询前台。",
        "这家小店的牛肉面汤头浓郁，每碗十二元，周末常常排长队。",
        "气象台指出，台风将于周末逼近东部海面，请市民提前做好防范。",
        "下载本软件前请先阅读使用条款，如不同意请勿安装，谢谢合作。",
        "学生应在开学前缴清学费，逾期者须另付手续费三百元整。",
    ),
    "cp932": (
        "当館は来週の月曜日から改修工事のため休館いたします。再開は十月末の予定です。",
        "この店のラーメンはスープが濃くて、一杯九百円、週末はいつも行列ができる。",
        "気象庁によると、台風は週末に東の海上へ近づく見込みで、早めの備えが必要だ。",
        "ソフトをダウンロードする前に利用規約をお読みください。",
        "学生は入学前に授業料を納めてください。期限を過ぎると手数料がかかります。",
    ),
    "euc_jp": (
        "当館は来週の月曜日から改修工事のため休館いたします。再開は十月末の予定です。",
        "この店のラーメンはスープが濃くて、一杯九百円、週末はいつも行列ができる。",
        "気象庁によると、台風は週末に東の海上へ近づく見込みで、早めの備えが必要だ。",
        "ソフトをダウンロードする前に利用規約をお読みください。それから始めましょう。",
        "学生は入学前に授業料を納めてください。期限を過ぎると手数料がかかります。",
    ),
    "cp949": (
        "우리 도서관은 다음 주 월요일부터 수리를 위해 문을 닫습니다. 시월 말에 다시 엽니다.",
        "이 가게의 칼국수는 국물이 진하고 한 그릇에 팔천 원이며 주말에는 줄이 깁니다.",
        "기상청은 태풍이 주말에 동쪽 바다로 다가올 것으로 보인다고 밝혔습니다.",
        "프로그램을 내려받기 전에 이용 약관을 먼저 읽어 주시기 바랍니다. 고맙습니다.",
        "학생은 개학 전까지 등록금을 내야 하며 늦으면 수수료가 붙습니다.",
    ),
    "cp1251": (
        "Наша библиотека закрывается на ремонт со следующего понедельника до конца октября.",
        "В этой закусочной подают густой суп, порция стоит триста рублей, по выходным очередь.",
        "По данным синоптиков, тайфун подойдёт к побережью в выходные, готовьтесь заранее.",
        "Перед загрузкой программы прочтите условия использования. Спасибо за внимание!",
        "Студенты должны оплатить обучение до начала занятий, иначе взимается сбор.",
    ),
}
PAGES = (
    "<html><body><p>{}</p></body></html>",
    "<!doctype html><html><head><title>x</title></head><body><div class=nav><a href=/index.html>Home</a></div>"
    "<p>{}</p><p>Tel 0555-0101, www.example.com</p></body></html>",
)


@pytest.mark.parametrize("page", PAGES, ids=["bare", "with English around"])
@pytest.mark.parametrize("charset", TEXTS)
def test_a_page_without_any_label_is_decoded_right(charset: str, page: str) -> None:
    for text in TEXTS[charset]:
        made = readable(page.format(text).encode(charset), name="p.html")
        assert text in made.text, made.charset


def broken(text: str, *, every: int) -> bytes:
    """A page that says it is UTF-8, with bytes of no charset after every so many of its text."""
    body = text.encode()
    return b"<meta charset=utf-8><p>" + b"\xff\xfe\x81".join(body[at : at + every] for at in range(0, len(body), every))


def test_a_page_of_which_too_much_is_lost_is_unreadable() -> None:
    text = "水库蓄水量为四亿吨，" * 20
    assert readable(broken(text, every=399), name="p.html").notes[0].startswith("charset_doubtful: ")
    with pytest.raises(Unreadable) as caught:
        readable(broken(text, every=12), name="p.html")
    assert caught.value.code == "unreadable"
