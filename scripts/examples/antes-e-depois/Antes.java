import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

public class Antes {
  static final String URL = System.getenv().getOrDefault("CATALOGO_URL", "http://127.0.0.1:8080");
  static final HttpClient HTTP = HttpClient.newHttpClient();

  static HttpResponse<String> pede(String caminho, String corpo, String... cabecalhos) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create(URL + caminho))
            .headers(cabecalhos)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(corpo))
            .build(),
        BodyHandlers.ofString());
  }

  public static void main(String[] palavras) throws Exception {
    String[] chave = {"Client-Id", "demo", "Client-Secret", "demo", "Role-Type", "IMPEXP"};
    var entrada = pede("/portal/api/autenticar/chave-acesso", "", chave);
    String token = entrada.headers().firstValue("Set-Token").orElseThrow();
    String csrf = entrada.headers().firstValue("X-CSRF-Token").orElseThrow();
    for (String linha : Files.readAllLines(Path.of(palavras[0]))) {
      String[] partes = linha.split(";");
      String produto =
          "{\"codigosInterno\": [\"%s\"], \"ncm\": \"%s\", \"modalidade\": \"%s\", \"denominacao\": \"%s\"}"
              .formatted((Object[]) partes);
      for (int tentativa = 0; tentativa < 5; tentativa++) {
        try {
          var resposta =
              pede("/catp/api/ext/produto/12345678", produto, "Authorization", token, "X-CSRF-Token", csrf);
          if (resposta.statusCode() != 200) throw new Exception("recusado: " + resposta.statusCode());
          System.out.println(partes[0] + " -> " + resposta.body().replaceAll(".*\"codigo\":(\\d+).*", "$1"));
          break;
        } catch (Exception erro) {
          System.out.println(partes[0] + " falhou, de novo: " + erro.getMessage());
        }
      }
    }
  }
}
