import type { ReadyRequest, RequestBody } from './request.ts';

/**
 * Headers whose values are shell variables after the sign-in; `$TOKEN` and `$CSRF` come from the tour of the
 * start page.
 */
const VARIABLES: Readonly<Record<string, string>> = { Authorization: '$TOKEN', 'X-CSRF-Token': '$CSRF' };

/** Returns a curl command that works when it is pasted after the sign-in. */
export function curlOf({ method, address, headers, secured, body }: ReadyRequest, origin: string): string {
  const all = new Map<string, string>(headers);
  if (secured) for (const [name, variable] of Object.entries(VARIABLES)) all.set(name, variable);
  const lines = [`curl -s${method === 'GET' ? '' : ` -X ${method}`} ${doubleQuoted(origin + address)}`];
  for (const [name, value] of all)
    lines.push(`-H ${value.startsWith('$') ? `"${name}: ${value}"` : singleQuoted(`${name}: ${value}`)}`);
  lines.push(...payload(body));
  return lines.join(' \\\n  ');
}

function payload(body: RequestBody): readonly string[] {
  switch (body.kind) {
    case 'json':
      return [`-H 'Content-Type: application/json'`, `--data-raw ${singleQuoted(body.text)}`];
    case 'form':
      return [
        '-F file=@arquivo.json',
        ...Object.entries(body.parts)
          .filter(([, value]) => value !== '')
          .map(([name, value]) => `-F ${singleQuoted(`${name}=${value}`)}`),
      ];
    case 'file':
      return [`-H 'Content-Type: ${body.type}'`, '--data-binary @arquivo'];
    default:
      return [];
  }
}

const singleQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const doubleQuoted = (text: string): string => `"${text.replaceAll(/["$`\\]/g, '\\$&')}"`;
