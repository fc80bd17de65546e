// Bodies of events, as receivers write them down by hand from what is public (contract section 10).
package main

import "reflect"

type duimp struct {
	RegistroIniciado bool   `json:"registroIniciado"`
	Code             string `json:"code"`
	Message          string `json:"message"`
	Identificacao    struct {
		Numero string `json:"numero"`
		Versao string `json:"versao"`
	} `json:"identificacao"`
	NiImportador  string   `json:"niImportador"`
	SituacaoDuimp string   `json:"situacaoDuimp"`
	Evento        []string `json:"evento"`
	DataEvento    string   `json:"dataEvento"`
	Diagnostico   struct {
		Situacao    string `json:"situacao"`
		DataGeracao string `json:"dataGeracao"`
		Resultado   []struct {
			Tipo     string `json:"tipo"`
			Item     string `json:"item"`
			Mensagem struct {
				Codigo string `json:"codigo"`
				Texto  string `json:"texto"`
			} `json:"mensagem"`
			SistemaOrigem string `json:"sistemaOrigem"`
		} `json:"resultado"`
	} `json:"diagnostico"`
	Canal        string `json:"canal"`
	LinkConsulta struct {
		Method string `json:"method"`
		URL    string `json:"url"`
	} `json:"linkConsulta"`
}

type historico struct {
	Tipo      string `json:"tipo"`
	Descricao string `json:"descricao"`
	Data      string `json:"data"`
	Due       struct {
		Numero string `json:"numero"`
		Ruc    string `json:"ruc"`
	} `json:"due"`
}

type resultadoRecepcao struct {
	Protocolo string `json:"protocolo"`
	Situacao  string `json:"situacao"`
	Data      string `json:"data"`
}

type crt struct {
	NumeroCarga    string `json:"numeroCarga"`
	DataEmissao    string `json:"dataEmissao"`
	MotivoBloqueio string `json:"motivoBloqueio"`
	TipoBloqueio   string `json:"tipoBloqueio"`
}

type documentoSaida struct {
	TipoDocumentoSaida          string `json:"tipoDocumentoSaida"`
	NumeroDocumentoSaida        string `json:"numeroDocumentoSaida"`
	IdentificacaoCarga          string `json:"identificacaoCarga"`
	DataEmissaoCarga            string `json:"dataEmissaoCarga"`
	CnpjResponsavelArquivoCarga string `json:"cnpjResponsavelArquivoCarga"`
	DataHoraVinculacao          string `json:"dataHoraVinculacao"`
}

type situacaoLpco struct {
	NumeroLPCO   string `json:"numeroLPCO"`
	CodigoModelo string `json:"codigoModelo"`
	NovaSituacao struct {
		ID        string `json:"id"`
		Descricao string `json:"descricao"`
	} `json:"novaSituacao"`
	Justificativa string   `json:"justificativa"`
	CpfCnpj       []string `json:"cpfCnpj"`
	DataEvento    string   `json:"dataEvento"`
}

type lpco struct {
	NumeroLPCO   string   `json:"numeroLPCO"`
	CodigoModelo string   `json:"codigoModelo"`
	CpfCnpj      []string `json:"cpfCnpj"`
	DataEvento   string   `json:"dataEvento"`
}

type exigencia struct {
	NumeroLPCO   string   `json:"numeroLPCO"`
	CodigoModelo string   `json:"codigoModelo"`
	CpfCnpj      []string `json:"cpfCnpj"`
	DataEvento   string   `json:"dataEvento"`
	Exigencia    string   `json:"exigencia"`
}

type desativado struct {
	Titulo         string    `json:"titulo"`
	Mensagem       string    `json:"mensagem"`
	CpfCnpjRaiz    string    `json:"cpfCnpjRaiz"`
	Ncm            *string   `json:"ncm"`
	CodigosProduto *[]string `json:"codigosProduto"`
}

type prazo struct {
	CpfCnpjRaiz string  `json:"cpfCnpjRaiz"`
	Data        string  `json:"data"`
	Tipo        string  `json:"tipo"`
	Atributo    *string `json:"atributo"`
	Modalidade  *string `json:"modalidade"`
	Ncms        []struct {
		Ncm            string   `json:"ncm"`
		CodigosProduto []string `json:"codigosProduto"`
	} `json:"ncms"`
}

type divergente struct {
	CpfCnpjRaiz string                    `json:"cpfCnpjRaiz"`
	Remoto      string                    `json:"remoto"`
	Contagens   map[string]map[string]int `json:"contagens"`
}

type produto struct {
	CpfCnpjRaiz string `json:"cpfCnpjRaiz"`
	Codigo      int64  `json:"codigo"`
	Versao      string `json:"versao"`
	Situacao    string `json:"situacao"`
	Operacao    string `json:"operacao"`
	DataHora    string `json:"dataHora"`
}

type operador struct {
	CpfCnpjRaiz string `json:"cpfCnpjRaiz"`
	Codigo      string `json:"codigo"`
	CodigoPais  string `json:"codigoPais"`
	Versao      string `json:"versao"`
	Situacao    string `json:"situacao"`
	Operacao    string `json:"operacao"`
	DataHora    string `json:"dataHora"`
}

type vinculo struct {
	CpfCnpjRaiz               string  `json:"cpfCnpjRaiz"`
	Codigo                    int64   `json:"codigo"`
	CodigoPais                string  `json:"codigoPais"`
	CodigoOperadorEstrangeiro *string `json:"codigoOperadorEstrangeiro"`
	CpfCnpjFabricante         *string `json:"cpfCnpjFabricante"`
	Operacao                  string  `json:"operacao"`
	DataHora                  string  `json:"dataHora"`
}

// By the names of the records that Java reads the same with; [] for a list.
var events = map[string]reflect.Type{
	"Duimp":             reflect.TypeFor[duimp](),
	"Historico":         reflect.TypeFor[historico](),
	"ResultadoRecepcao": reflect.TypeFor[resultadoRecepcao](),
	"Crt[]":             reflect.TypeFor[[]crt](),
	"DocumentoSaida":    reflect.TypeFor[documentoSaida](),
	"SituacaoLpco":      reflect.TypeFor[situacaoLpco](),
	"Lpco":              reflect.TypeFor[lpco](),
	"Exigencia":         reflect.TypeFor[exigencia](),
	"Desativado":        reflect.TypeFor[desativado](),
	"Prazo":             reflect.TypeFor[prazo](),
	"Divergente":        reflect.TypeFor[divergente](),
	"Produto":           reflect.TypeFor[produto](),
	"Operador":          reflect.TypeFor[operador](),
	"Vinculo":           reflect.TypeFor[vinculo](),
}
