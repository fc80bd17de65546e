package catp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/**
 * O executável que este jar leva. Ele é posto uma vez onde programas guardam o que podem refazer, sob um nome que decorre da versão
 * e dos seus bytes: quem vem depois o encontra lá.
 */
final class Carried {
  private static Path unpacked;

  private Carried() {}

  static synchronized Path executable() throws IOException {
    if (unpacked == null) unpacked = find();
    return unpacked;
  }

  private static Path find() throws IOException {
    String file = isWindows() ? "catp.exe" : "catp";
    String folder = "/catp/bin/" + platform() + "/";
    try (InputStream named = Catp.class.getResourceAsStream(folder + "name");
        InputStream carried = Catp.class.getResourceAsStream(folder + file)) {
      if (named == null || carried == null)
        throw new IllegalStateException("catp: este jar não tem o executável de " + platform() + "; use o jar dessa plataforma, ou diga em CATP onde ele está.");
      Path place = cache().resolve("catp").resolve(new String(named.readAllBytes(), StandardCharsets.UTF_8)).resolve(file);
      if (!Files.isExecutable(place)) put(carried, place);
      return place;
    }
  }

  /** Inteiro ou não está lá: duas suítes podem começar ao mesmo tempo. */
  private static void put(InputStream carried, Path place) throws IOException {
    Files.createDirectories(place.getParent());
    Path part = Files.createTempFile(place.getParent(), "catp-", ".part");
    try {
      Files.copy(carried, part, StandardCopyOption.REPLACE_EXISTING);
      part.toFile().setExecutable(true);
      Files.move(part, place, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException error) {
      if (!Files.isExecutable(place)) throw error; // no Windows não se troca o que outro já executa
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Só de quem a usa: na pasta de temporários outro poderia pôr o seu no lugar deste. */
  private static Path cache() {
    String named = System.getenv(isWindows() ? "LOCALAPPDATA" : "XDG_CACHE_HOME");
    if (named != null && Path.of(named).isAbsolute()) return Path.of(named);
    Path home = Path.of(System.getProperty("user.home"));
    return isMac() ? home.resolve("Library/Caches") : home.resolve(".cache");
  }

  private static String platform() {
    return (isWindows() ? "windows" : isMac() ? "darwin" : "linux")
        + (System.getProperty("os.arch").equals("aarch64") ? "-arm64" : "-x64");
  }

  private static boolean isWindows() {
    return system().startsWith("win");
  }

  private static boolean isMac() {
    return system().startsWith("mac");
  }

  private static String system() {
    return System.getProperty("os.name").toLowerCase(Locale.ROOT);
  }
}
