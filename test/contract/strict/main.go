// Reads answers, a JSON line each, into the types that were generated for them: no member unknown, none missing, none of
// another type. What does not fit is printed.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
)

// Of an operation, or, without a status, of an event (`forms` and `events` are generated).
type answer struct {
	Operation string
	Status    int
	Body      json.RawMessage
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var one answer
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			panic(err)
		}
		for _, wrong := range misfits(one) {
			fmt.Printf("%s %d %s\n", one.Operation, one.Status, wrong)
		}
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
	fmt.Println("end")
}

func formOf(one answer) (reflect.Type, bool) {
	if one.Status == 0 {
		form, known := events[one.Operation]
		return form, known
	}
	form, known := forms[one.Operation]
	if !known {
		return nil, false
	}
	member, known := form.FieldByName(fmt.Sprintf("JSON%d", one.Status))
	return member.Type, known
}

func misfits(one answer) []string {
	form, known := formOf(one)
	if !known {
		return []string{"an answer that the document does not tell"}
	}
	decoder := json.NewDecoder(bytes.NewReader(one.Body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(reflect.New(form).Interface()); err != nil {
		return []string{err.Error()}
	}
	var value any
	if err := json.Unmarshal(one.Body, &value); err != nil {
		panic(err)
	}
	return missing(form, value, "")
}

// Members that are always there and are not; encoding/json does not mind.
func missing(form reflect.Type, value any, at string) (found []string) {
	switch form.Kind() {
	case reflect.Pointer:
		return missing(form.Elem(), value, at)
	case reflect.Slice:
		items, _ := value.([]any)
		for index, item := range items {
			found = append(found, missing(form.Elem(), item, fmt.Sprintf("%s/%d", at, index))...)
		}
	case reflect.Map:
		members, _ := value.(map[string]any)
		for name, member := range members {
			found = append(found, missing(form.Elem(), member, at+"/"+name)...)
		}
	case reflect.Struct:
		members, isObject := value.(map[string]any)
		if !isObject {
			return nil
		}
		for index := range form.NumField() {
			name, options, _ := strings.Cut(form.Field(index).Tag.Get("json"), ",")
			member, isThere := members[name]
			if isThere {
				found = append(found, missing(form.Field(index).Type, member, at+"/"+name)...)
			} else if name != "" && name != "-" && !strings.Contains(options, "omitempty") {
				found = append(found, at+"/"+name+" is missing")
			}
		}
	}
	return found
}
