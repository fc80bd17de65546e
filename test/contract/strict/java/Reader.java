import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.annotation.Nonnull;
import org.openapitools.client.RFC3339JavaTimeModule;
import org.openapitools.jackson.nullable.JsonNullable;
import org.openapitools.jackson.nullable.JsonNullableModule;

/**
 * Reads bodies, a JSON line {"name", "type", "body"} each, into the classes that were generated for them: no member
 * unknown, none missing, none of another type. What does not fit is printed.
 */
final class Reader {
  public static void main(String[] none) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    ObjectMapper mapper = strictMapper();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      JsonNode one = mapper.readTree(line);
      for (String wrong : misfits(mapper, one.get("type").textValue(), one.get("body")))
        out.println(one.get("name").textValue() + " " + wrong);
    }
    out.println("end");
  }

  /** What the generated client reads with, and everything that makes it stricter. */
  private static ObjectMapper strictMapper() {
    ObjectMapper mapper =
        JsonMapper.builder()
            .addModules(new JavaTimeModule(), new JsonNullableModule(), new RFC3339JavaTimeModule())
            .enable(
                DeserializationFeature.READ_ENUMS_USING_TO_STRING,
                DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS,
                DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(
                DeserializationFeature.ACCEPT_FLOAT_AS_INT,
                DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    // A number or a boolean is no text: the switch above does not speak of it.
    for (CoercionInputShape shape :
        List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean))
      mapper.coercionConfigFor(LogicalType.Textual).setCoercion(shape, CoercionAction.Fail);
    return mapper;
  }

  private static List<String> misfits(ObjectMapper mapper, String type, JsonNode body) throws Exception {
    Object read;
    try {
      read = mapper.readValue(body.toString(), mapper.getTypeFactory().constructFromCanonical(type));
    } catch (com.fasterxml.jackson.core.JsonProcessingException | IllegalArgumentException wrong) {
      return List.of(wrong.getMessage().replace('\n', ' '));
    }
    List<String> found = new ArrayList<>();
    look(read, body, "", found);
    return found;
  }

  /** Members that are always there and are not, or are null and never should be; Jackson does not mind. */
  private static void look(Object read, JsonNode body, String at, List<String> found) throws Exception {
    if (read instanceof JsonNullable<?> optional) {
      if (optional.isPresent()) look(optional.get(), body, at, found);
    } else if (read instanceof Collection<?> items) {
      int index = 0;
      for (Object item : items) {
        look(item, body.get(index), at + "/" + index, found);
        index += 1;
      }
    } else if (read instanceof Map<?, ?> members) {
      for (Map.Entry<?, ?> member : members.entrySet())
        look(member.getValue(), body.get((String) member.getKey()), at + "/" + member.getKey(), found);
    } else if (read != null && body.isObject()) {
      for (Method method : read.getClass().getMethods()) lookAt(method, read, body, at, found);
    }
  }

  private static void lookAt(Method method, Object read, JsonNode body, String at, List<String> found)
      throws Exception {
    JsonProperty property = method.getAnnotation(JsonProperty.class);
    JsonInclude inclusion = method.getAnnotation(JsonInclude.class);
    if (property == null || inclusion == null || method.getParameterCount() > 0) return;
    String name = at + "/" + property.value();
    JsonNode member = body.get(property.value());
    boolean isAlways = inclusion.value() == JsonInclude.Include.ALWAYS;
    if (member == null) {
      if (isAlways) found.add(name + " is missing");
    } else if (member.isNull()) {
      if (method.isAnnotationPresent(Nonnull.class)) found.add(name + " is null");
    } else {
      look(method.invoke(read), member, name, found);
    }
  }
}
