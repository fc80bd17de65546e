import { exampleOf, sampleOf, type Document, type Entry } from './openapi.ts';

/** Headers whose values a shell has from signing in. */
const KNOWN: Readonly<Record<string, string>> = { Authorization: '$TOKEN', 'X-CSRF-Token': '$CSRF' };

/** A request that works when pasted after signing in; `$TOKEN` and `$CSRF` are those of the start page's tour. */
export function curlOf(document: Document, entry: Entry, origin: string): string {
  const { method, parameters, body } = entry;
  const value = (name: string): string => {
    const parameter = parameters.find((it) => it.name === name);
    const sample = parameter?.example ?? (parameter?.schema && sampleOf(document, parameter.schema));
    return typeof sample === 'string' ? sample : sample === undefined ? name : JSON.stringify(sample);
  };
  const required = (place: string): readonly string[] =>
    parameters.filter((it) => it.in === place && it.required === true).map(({ name }) => name);

  const path = entry.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(value(name)));
  const query = required('query').map((name) => `${name}=${encodeURIComponent(value(name))}`);
  const address = `${origin}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const headers = new Map(required('header').map((name) => [name, KNOWN[name] ?? value(name)]));
  if (entry.secured) for (const [name, variable] of Object.entries(KNOWN)) headers.set(name, variable);

  const lines = [`curl -s${method === 'GET' ? '' : ` -X ${method}`} ${doubleQuoted(address)}`];
  for (const [name, held] of headers)
    lines.push(`-H ${held.startsWith('$') ? `"${name}: ${held}"` : singleQuoted(`${name}: ${held}`)}`);
  lines.push(...payload(document, body?.content ?? {}));
  return lines.join(' \\\n  ');
}

function payload(document: Document, content: NonNullable<Entry['body']>['content'] & {}): readonly string[] {
  const [type, media] = Object.entries(content)[0] ?? [];
  if (type === undefined || media === undefined) return [];
  if (type === 'multipart/form-data') {
    const sample = (exampleOf(document, media) ?? {}) as Readonly<Record<string, unknown>>;
    return Object.entries(sample).map(([name, held]) =>
      name === 'file' ? '-F file=@arquivo.json' : `-F ${singleQuoted(`${name}=${String(held)}`)}`,
    );
  }
  if (type !== 'application/json') return [`-H 'Content-Type: ${type}'`, '--data-binary @arquivo'];
  return [
    `-H 'Content-Type: application/json'`,
    `-d ${singleQuoted(JSON.stringify(exampleOf(document, media)))}`,
  ];
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function doubleQuoted(text: string): string {
  return `"${text.replaceAll(/["$`\\]/g, '\\$&')}"`;
}
