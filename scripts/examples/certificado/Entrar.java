import java.net.URL;
import javax.net.ssl.HttpsURLConnection;

public class Entrar {
  public static void main(String[] palavras) throws Exception {
    String base = System.getenv().getOrDefault("CATALOGO_URL", "https://localhost:8443");
    HttpsURLConnection conexao =
        (HttpsURLConnection) new URL(base + "/portal/api/autenticar").openConnection();
    conexao.setRequestMethod("POST");
    conexao.setRequestProperty("Role-Type", "IMPEXP");
    System.out.println(conexao.getResponseCode() + " " + (conexao.getHeaderField("Set-Token") != null));
  }
}
