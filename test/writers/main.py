"""Rewrites a sheet, or writes one from values: `LIBRARY rewrite IN OUT`, `LIBRARY write VALUES OUT`."""

import json
import sys
from datetime import datetime

import openpyxl
import pandas
import pyexcelerate
import xlsxwriter


def native(value):
    return datetime.fromisoformat(value["day"]) if isinstance(value, dict) else value


def by_openpyxl(rows, path):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)


def by_pandas(rows, path):
    pandas.DataFrame(rows[1:], columns=rows[0]).to_excel(path, index=False)


def by_xlsxwriter(rows, path):
    with xlsxwriter.Workbook(path, {"default_date_format": "dd/mm/yyyy"}) as book:
        sheet = book.add_worksheet()
        for at, row in enumerate(rows):
            sheet.write_row(at, 0, row)


def by_pyexcelerate(rows, path):
    book = pyexcelerate.Workbook()
    sheet = book.new_sheet("Dados", data=rows)
    for at, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            if isinstance(value, datetime):
                # Without a format it shows the number of the day.
                style = pyexcelerate.Style(format=pyexcelerate.Format("dd/mm/yyyy"))
                sheet.set_cell_style(at, column, style)
    book.save(path)


def rewrite(library, source, path):
    if library == "openpyxl":
        openpyxl.load_workbook(source).save(path)
    elif library == "pandas" and source.endswith(".csv"):
        pandas.read_csv(source, sep=";").to_csv(path, sep=";", index=False)
    elif library == "pandas":
        pandas.read_excel(source).to_excel(path, index=False)
    else:
        rows = openpyxl.load_workbook(source).active.iter_rows(values_only=True)
        WRITERS[library]([list(row) for row in rows], path)


WRITERS = {
    "openpyxl": by_openpyxl,
    "pandas": by_pandas,
    "xlsxwriter": by_xlsxwriter,
    "pyexcelerate": by_pyexcelerate,
}
library, mode, source, path = sys.argv[1:]
if mode == "rewrite":
    rewrite(library, source, path)
else:
    with open(source, encoding="utf-8") as file:
        WRITERS[library]([[native(cell) for cell in row] for row in json.load(file)], path)
