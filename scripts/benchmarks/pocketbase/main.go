// PocketBase as a library, with two collections that have the members of a product: `pocketbase FOLDER PORT NORMAL|FULL`.
// NORMAL is how it ships: a power cut takes what it said was created; FULL is what catp does. A signed-in user creates the
// records of `products`, as one does in catp; anybody creates those of `open_products`. Requests are not logged.
package main

import (
	"fmt"
	"log"
	"net"
	"os"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	_ "github.com/pocketbase/pocketbase/migrations"
	"github.com/pocketbase/pocketbase/tools/types"
)

const listBytes = 1 << 20

func main() {
	if len(os.Args) != 4 {
		log.Fatal("pocketbase FOLDER PORT NORMAL|FULL")
	}
	folder, address, synchronous := os.Args[1], "127.0.0.1:"+os.Args[2], os.Args[3]
	app := core.NewBaseApp(core.BaseAppConfig{DataDir: folder, DBConnect: connect(synchronous)})
	must(app.Bootstrap())
	must(app.RunAllMigrations())
	app.Settings().Logs.MaxDays = 0
	must(app.Save(app.Settings()))
	must(app.Save(products("products", `@request.auth.id != ""`)))
	must(app.Save(products("open_products", "")))
	must(app.Save(user(app)))
	must(app.Save(superuser(app)))
	go tellWhenReady(address)
	must(apis.Serve(app, apis.ServeConfig{HttpAddr: address}))
}

// connect opens the database like PocketBase's default, except for the synchronous pragma.
func connect(synchronous string) core.DBConnectFunc {
	pragmas := "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)" +
		"&_pragma=synchronous(" + synchronous + ")&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)"
	return func(path string) (*dbx.DB, error) { return dbx.Open("sqlite", path+pragmas) }
}

// The limits of the members are ours (src/catalogue/members/product.ts).
func products(name string, createRule string) *core.Collection {
	collection := core.NewBaseCollection(name)
	collection.CreateRule = types.Pointer(createRule)
	collection.Fields.Add(
		&core.TextField{Name: "denominacao", Required: true, Max: 3700},
		&core.TextField{Name: "descricao", Max: 3700},
		&core.SelectField{Name: "modalidade", Required: true, Values: []string{"IMPORTACAO", "EXPORTACAO", "AMBOS"}},
		&core.TextField{Name: "ncm", Required: true, Pattern: "^[0-9]{8}$"},
		&core.JSONField{Name: "atributos", MaxSize: listBytes},
		&core.JSONField{Name: "codigosInterno", MaxSize: listBytes},
	)
	collection.AddIndex(name+"_by_ncm", false, "ncm", "")
	return collection
}

// The bench signs in as this user (pocketbase.ts).
func user(app core.App) *core.Record {
	collection, err := app.FindCollectionByNameOrId("users")
	must(err)
	record := core.NewRecord(collection)
	record.SetEmail("demo@example.com")
	record.SetPassword("demonstration")
	return record
}

// Without one it would print how to make it, to a reader who listens no longer.
func superuser(app core.App) *core.Record {
	collection, err := app.FindCollectionByNameOrId(core.CollectionNameSuperusers)
	must(err)
	record := core.NewRecord(collection)
	record.SetEmail("bench@example.com")
	record.SetRandomPassword()
	return record
}

func tellWhenReady(address string) {
	for {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			connection.Close()
			fmt.Printf("pronto em http://%s\n", address)
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
