import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

public class Depois {
  static final String URL = System.getenv().getOrDefault("CATALOGO_URL", "http://127.0.0.1:8080");
  static final double ESPERA_MAXIMA = Double.parseDouble(System.getenv().getOrDefault("ESPERA_MAXIMA", "7200"));
  static final Duration PRAZO = Duration.ofSeconds(60);
  static final int TENTATIVAS = 12;
  static final int NOME_MAXIMO = 120;

  /** A hora cheia, a parada diária, entrou há pouco. */
  static final Pattern PARADAS = Pattern.compile("\"code\":\"(PUCX-ER1001|PUCX-ER0401|PLAT-ER2033)\"");

  static final List<String> CHAVE =
      List.of("Client-Id", "demo", "Client-Secret", "demo", "Role-Type", "IMPEXP");
  static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(PRAZO).build();
  static String token;
  static String csrf;
  static double entrouEm = Double.NEGATIVE_INFINITY;

  static void espera(double segundos, String porque) throws InterruptedException {
    System.out.println("esperando " + Math.round(segundos) + " s: " + porque);
    Thread.sleep((long) (Math.min(segundos, ESPERA_MAXIMA) * 1000));
  }

  /** O que se sabe da resposta; null: não chegou inteira e legível. */
  static HttpResponse<String> envia(String caminho, List<String> cabecalhos, String corpo)
      throws InterruptedException {
    var pedido = HttpRequest.newBuilder(URI.create(URL + caminho)).timeout(PRAZO);
    pedido.headers(cabecalhos.toArray(String[]::new)).header("Content-Type", "application/json");
    if (corpo != null) pedido.POST(BodyPublishers.ofString(corpo));
    try {
      var resposta = HTTP.send(pedido.build(), BodyHandlers.ofString());
      if (token != null) csrf = resposta.headers().firstValue("X-CSRF-Token").orElse(csrf);
      String tipo = resposta.headers().firstValue("Content-Type").orElse("");
      return resposta.statusCode() == 204 || tipo.startsWith("application/json") ? resposta : null;
    } catch (IOException erro) {
      return null;
    }
  }

  /** Repete o que com certeza não foi feito; null: talvez tenha sido feito, e quem chamou consulta antes de repetir. */
  static HttpResponse<String> tenta(String caminho, boolean entrando, String corpo) throws InterruptedException {
    for (int tentativa = 0; tentativa < TENTATIVAS; tentativa++) {
      var resposta = envia(caminho, entrando ? CHAVE : tokens(), corpo);
      int status = resposta == null ? 0 : resposta.statusCode();
      if (status == 0 || status == 500 || status == 502 || status == 504) {
        espera(1 << tentativa, "resposta desconhecida");
        if (corpo != null && !entrando) return null;
      } else if (status == 401 && !entrando) token = null;
      else if (status == 503 || (status == 422 && PARADAS.matcher(resposta.body()).find()))
        espera(resposta.headers().firstValueAsLong("Retry-After").orElse(60), resposta.body());
      else return resposta;
    }
    throw new IllegalStateException("o serviço não se recuperou; rode de novo mais tarde");
  }

  /** Uma sessão para tudo; outra só depois de um 401, e nunca antes de 60 segundos. */
  static List<String> tokens() throws InterruptedException {
    if (token == null) {
      double desde = System.nanoTime() / 1e9 - entrouEm;
      if (desde < 60) espera(60 - desde, "outra autenticação");
      var entrada = tenta("/portal/api/autenticar/chave-acesso", true, "");
      if (entrada.statusCode() != 200) throw new IllegalStateException("não entrou: " + entrada.body());
      entrouEm = System.nanoTime() / 1e9;
      token = entrada.headers().firstValue("Set-Token").orElseThrow();
      csrf = entrada.headers().firstValue("X-CSRF-Token").orElseThrow();
    }
    return List.of("Authorization", token, "X-CSRF-Token", csrf);
  }

  /** Consulta, e só então inclui: assim uma resposta perdida, ou uma segunda execução, não repete nada. */
  static String inclui(String codigo, String modalidade, String produto) throws InterruptedException {
    String consulta = "?cpfCnpjRaiz=12345678&codigoInterno=" + codigo + "&modalidade=" + modalidade;
    for (int tentativa = 0; tentativa < TENTATIVAS; tentativa++) {
      var achado = tenta("/catp/api/ext/produto" + consulta, false, null);
      if (achado.statusCode() == 200) return codigoEm(achado);
      var resposta = tenta("/catp/api/ext/produto/12345678", false, produto);
      if (resposta != null) return resposta.statusCode() == 200 ? codigoEm(resposta) : resposta.body();
    }
    return "não foi possível incluir";
  }

  static String json(String texto) {
    return '"' + texto.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  static String codigoEm(HttpResponse<String> resposta) {
    return resposta.body().replaceAll(".*?\"codigo\":(\\d+).*", "$1");
  }

  public static void main(String[] palavras) throws Exception {
    Map<List<String>, List<String>> produtos = new LinkedHashMap<>();
    for (String linha : Files.readAllLines(Path.of(palavras[0]))) {
      String[] partes = linha.split(";"); // código, ncm, modalidade, nome
      for (String cada : partes[2].equals("AMBOS") ? List.of("IMPORTACAO", "EXPORTACAO") : List.of(partes[2]))
        // Iguais em tudo são um produto, com os dois códigos.
        produtos.computeIfAbsent(List.of(partes[1], cada, partes[3]), novo -> new ArrayList<>()).add(partes[0]);
    }
    for (var produto : produtos.entrySet()) {
      String ncm = produto.getKey().get(0), modalidade = produto.getKey().get(1), nome = produto.getKey().get(2);
      List<String> codigos = produto.getValue();
      String curto = nome.codePoints().limit(NOME_MAXIMO).mapToObj(Character::toString).collect(Collectors.joining());
      String corpo =
          "{\"ncm\": %s, \"modalidade\": %s, \"denominacao\": %s, \"descricao\": %s, \"codigosInterno\": %s}"
              .formatted(
                  json(ncm), json(modalidade), json(curto), json(nome), codigos.stream().map(Depois::json).toList());
      System.out.println(codigos + " " + modalidade + " -> " + inclui(codigos.get(0), modalidade, corpo));
    }
  }
}
