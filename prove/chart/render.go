// Renders a chart as Helm does: with the templates of Go, sprig, and the functions that Helm adds. It prints the texts of all
// templates as JSON. The arguments are the folder of the chart and a file of values.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(path string) map[string]interface{} {
	text, err := os.ReadFile(path)
	must(err)
	values := map[string]interface{}{}
	must(yaml.Unmarshal(text, &values))
	return values
}

func merge(into, from map[string]interface{}) {
	for name, value := range from {
		given, isMap := value.(map[string]interface{})
		present, wasMap := into[name].(map[string]interface{})
		if isMap && wasMap {
			merge(present, given)
		} else {
			into[name] = value
		}
	}
}

func main() {
	folder := os.Args[1]
	values := read(filepath.Join(folder, "values.yaml"))
	merge(values, read(os.Args[2]))
	chart := read(filepath.Join(folder, "Chart.yaml"))
	data := map[string]interface{}{
		"Values":  values,
		"Release": map[string]interface{}{"Name": "store", "Namespace": "default", "Service": "Helm"},
		"Chart":   map[string]interface{}{"Name": chart["name"], "Version": chart["version"], "AppVersion": chart["appVersion"]},
	}

	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	all.Funcs(functions)

	files, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	must(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		must(err)
	}
	texts := map[string]string{}
	for _, file := range files {
		var text bytes.Buffer
		must(all.ExecuteTemplate(&text, filepath.Base(file), data))
		texts[filepath.Base(file)] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	must(json.NewEncoder(os.Stdout).Encode(texts))
}
