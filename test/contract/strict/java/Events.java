import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/** Bodies of events, as receivers write them down by hand from what is public (contract section 10). */
final class Events {
  enum Canal { VERDE, AMARELO, VERMELHO, CINZA }

  enum Recepcao {
    @JsonProperty("CONCLUÍDO COM SUCESSO") SUCESSO,
    @JsonProperty("CONCLUÍDO COM FALHA") FALHA
  }

  record Duimp(
      boolean registroIniciado,
      String code,
      String message,
      Identificacao identificacao,
      String niImportador,
      String situacaoDuimp,
      List<String> evento,
      String dataEvento,
      Diagnostico diagnostico,
      Canal canal,
      Link linkConsulta) {}

  record Identificacao(String numero, String versao) {}

  record Diagnostico(String situacao, String dataGeracao, List<Resultado> resultado) {}

  record Resultado(String tipo, String item, Mensagem mensagem, String sistemaOrigem) {}

  record Mensagem(String codigo, String texto) {}

  record Link(String method, String url) {}

  record Historico(String tipo, String descricao, String data, Due due) {}

  record Due(String numero, String ruc) {}

  record ResultadoRecepcao(String protocolo, Recepcao situacao, String data) {}

  record Crt(String numeroCarga, String dataEmissao, String motivoBloqueio, String tipoBloqueio) {}

  record DocumentoSaida(
      String tipoDocumentoSaida,
      String numeroDocumentoSaida,
      String identificacaoCarga,
      String dataEmissaoCarga,
      String cnpjResponsavelArquivoCarga,
      String dataHoraVinculacao) {}

  record Situacao(String id, String descricao) {}

  record SituacaoLpco(
      String numeroLPCO,
      String codigoModelo,
      Situacao novaSituacao,
      String justificativa,
      List<String> cpfCnpj,
      String dataEvento) {}

  record Lpco(String numeroLPCO, String codigoModelo, List<String> cpfCnpj, String dataEvento) {}

  record Exigencia(
      String numeroLPCO, String codigoModelo, List<String> cpfCnpj, String dataEvento, String exigencia) {}

  record Desativado(
      String titulo, String mensagem, String cpfCnpjRaiz, String ncm, List<String> codigosProduto) {}

  enum Aviso { ANUNCIADO, CERTO }

  record Prazo(
      String cpfCnpjRaiz, String data, Aviso tipo, String atributo, String modalidade, List<Ncm> ncms) {}

  record Ncm(String ncm, List<String> codigosProduto) {}

  record Divergente(String cpfCnpjRaiz, String remoto, Map<String, Map<String, Integer>> contagens) {}

  record Produto(
      String cpfCnpjRaiz, long codigo, String versao, String situacao, String operacao, String dataHora) {}

  record Operador(
      String cpfCnpjRaiz,
      String codigo,
      String codigoPais,
      String versao,
      String situacao,
      String operacao,
      String dataHora) {}

  record Vinculo(
      String cpfCnpjRaiz,
      long codigo,
      String codigoPais,
      String codigoOperadorEstrangeiro,
      String cpfCnpjFabricante,
      String operacao,
      String dataHora) {}
}
