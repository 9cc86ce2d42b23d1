"""Says in Chinese why a document was left out. The English reasons are their finders': shelf.py, readable.py, …"""

_BY_CODE = {
    "binary": "程序、压缩包、媒体等没有文字的文件",
    "broken": "文件已损坏，无法解析",
    "empty": "没有文字",
    "encrypted": "需要密码才能打开",
    "gone": "文件已不在，或位于文件夹之外",
    "image": "图片，没有文字",
    "no_access": "没有读取权限",
    "no_text_layer": "只有扫描图像，没有文字层",
    "not_a_document": "不是可读的文档",
    "not_yet": "此格式目前还不能读取",
    "old_office": "2007 年以前的 Office 文件，请另存为 .docx、.xlsx 或 PDF",
    "reader_died": "读取过程意外终止",
    "rtf": "RTF 文件，请另存为 PDF、HTML 或文本",
    "too_large": "文件过大",
    "unreadable": "无法识别其字符编码",
}
_BY_WORDS = {
    "hidden": "隐藏文件",
    "left out by .gitignore": "被 .gitignore 排除",
    "moot's own data folder": "moot 自己的数据目录",
    "a link out of the folder": "指向文件夹之外的链接",
    "a link to a folder that is read by itself": "指向文件夹的链接，该文件夹另行读取",
    "a broken link": "失效的链接",
    "no access": "没有读取权限",
}


def in_chinese(why: str) -> str:
    """The reason in Chinese, its code kept in front; as it is where nobody has written it in Chinese yet."""
    head, colon, _ = why.partition(": ")
    if colon and head in _BY_CODE:
        return f"{head}：{_BY_CODE[head]}"
    return _BY_WORDS.get(head, why)
