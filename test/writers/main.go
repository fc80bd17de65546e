// Rewrites a workbook, or writes one from values, by excelize: `rewrite IN OUT`, `write VALUES OUT`.
package main

import (
	"encoding/json"
	"os"
	"time"

	"github.com/xuri/excelize/v2"
)

type day struct{ Day string }

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func native(value json.RawMessage) any {
	var one day
	if json.Unmarshal(value, &one) == nil && one.Day != "" {
		at, err := time.Parse(time.DateOnly, one.Day)
		check(err)
		return at
	}
	var plain any
	check(json.Unmarshal(value, &plain))
	return plain
}

func main() {
	mode, in, out := os.Args[1], os.Args[2], os.Args[3]
	if mode == "rewrite" {
		book, err := excelize.OpenFile(in)
		check(err)
		check(book.SaveAs(out))
		return
	}
	text, err := os.ReadFile(in)
	check(err)
	var rows [][]json.RawMessage
	check(json.Unmarshal(text, &rows))
	book := excelize.NewFile()
	for row, cells := range rows {
		for column, value := range cells {
			place, err := excelize.CoordinatesToCellName(column+1, row+1)
			check(err)
			check(book.SetCellValue("Sheet1", place, native(value)))
		}
	}
	check(book.SaveAs(out))
}
