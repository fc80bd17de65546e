package catp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** {@code java -jar}: o executável, com as palavras como vieram. */
final class Main {
  private Main() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(Catp.executable()));
    words.addAll(Arrays.asList(args));
    Process running = new ProcessBuilder(words).inheritIO().start();
    Runtime.getRuntime().addShutdownHook(new Thread(running::destroy));
    System.exit(running.waitFor());
  }
}
