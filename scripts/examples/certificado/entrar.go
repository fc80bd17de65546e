package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
)

func main() {
	pasta := "catp-dev/tls"
	base := os.Getenv("CATALOGO_URL")
	if base == "" {
		base = "https://localhost:8443"
	}
	pem, err := os.ReadFile(pasta + "/catp-ca.pem")
	if err != nil {
		panic(err)
	}
	confiaveis := x509.NewCertPool()
	confiaveis.AppendCertsFromPEM(pem)
	maria, err := tls.LoadX509KeyPair(pasta+"/demo.pem", pasta+"/demo.key")
	if err != nil {
		panic(err)
	}
	cliente := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{
		RootCAs: confiaveis, Certificates: []tls.Certificate{maria}}}}
	pedido, _ := http.NewRequest("POST", base+"/portal/api/autenticar", nil)
	pedido.Header.Set("Role-Type", "IMPEXP")
	resposta, err := cliente.Do(pedido)
	if err != nil {
		panic(err)
	}
	fmt.Println(resposta.StatusCode, resposta.Header.Get("Set-Token") != "")
}
