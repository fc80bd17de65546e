import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProdutosTest {
  static final String PRODUTO =
      "{\"denominacao\": \"Parafuso sextavado\", \"modalidade\": \"IMPORTACAO\", \"ncm\": \"73181500\"}";
  static final String DA_EMPRESA = "/catp/api/ext/produto/12345678";
  static final HttpClient HTTP = HttpClient.newHttpClient();

  static Process servidor;
  static String url;
  static Usuario demo;
  static Usuario admin;

  /** Uma instância só desta suíte, em uma porta livre; não sobrevive à suíte nem por kill -9. */
  @BeforeAll
  static void inicia() throws Exception {
    String executavel = Optional.ofNullable(System.getenv("CATP")).orElse("catp");
    String pasta = Files.createTempDirectory("catp").toString();
    servidor =
        new ProcessBuilder(executavel, "dev", "--port", "0", "--empty", "--data", pasta, "--exit-with-parent")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String primeira = new BufferedReader(new InputStreamReader(servidor.getInputStream())).readLine();
    url = primeira.substring(primeira.indexOf("http"));
    demo = new Usuario("demo");
    admin = new Usuario("admin");
    demo.pede("POST", DA_EMPRESA, PRODUTO);
    admin.pede("POST", "/appliance/api/snapshots/inicio", "");
  }

  @BeforeEach
  void volta() throws Exception {
    assertEquals(204, admin.pede("POST", "/appliance/api/snapshots/inicio/restore", "").statusCode());
  }

  @AfterAll
  static void termina() throws Exception {
    servidor.destroy();
    servidor.waitFor();
  }

  @Test
  void incluiUmProduto() throws Exception {
    HttpResponse<String> incluido = demo.pede("POST", DA_EMPRESA, PRODUTO);
    assertEquals(200, incluido.statusCode());
    assertTrue(incluido.body().contains("\"codigo\":2,"));
  }

  @Test
  void naoLembraOQueOutroTesteIncluiu() throws Exception {
    assertTrue(demo.pede("POST", DA_EMPRESA, PRODUTO).body().contains("\"codigo\":2,"));
  }

  @Test
  void recusaUmaNcmMalformadaEDizOnde() throws Exception {
    HttpResponse<String> recusado = demo.pede("POST", DA_EMPRESA, PRODUTO.replace("73181500", "7318"));
    assertEquals(400, recusado.statusCode());
    assertTrue(recusado.body().contains("\"path\":\"/ncm\""));
  }

  /** Entra uma vez. */
  static class Usuario {
    final String token;
    final String csrf;

    Usuario(String chave) throws IOException, InterruptedException {
      HttpResponse<Void> resposta =
          HTTP.send(
              HttpRequest.newBuilder(URI.create(url + "/portal/api/autenticar/chave-acesso"))
                  .headers("Client-Id", chave, "Client-Secret", chave, "Role-Type", "IMPEXP")
                  .POST(BodyPublishers.noBody())
                  .build(),
              BodyHandlers.discarding());
      token = resposta.headers().firstValue("Set-Token").orElseThrow();
      csrf = resposta.headers().firstValue("X-CSRF-Token").orElseThrow();
    }

    HttpResponse<String> pede(String metodo, String caminho, String corpo)
        throws IOException, InterruptedException {
      return HTTP.send(
          HttpRequest.newBuilder(URI.create(url + caminho))
              .headers("Authorization", token, "X-CSRF-Token", csrf, "Content-Type", "application/json")
              .method(metodo, BodyPublishers.ofString(corpo))
              .build(),
          BodyHandlers.ofString());
    }
  }
}
