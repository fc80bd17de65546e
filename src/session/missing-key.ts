/**
 * Names the members that a sign-in without `Client-Id` or `Client-Secret` sent in their place (contract
 * section 2). Never shows a value.
 */
import { readBytes } from '../http/body.ts';
import { isObject } from '../validation/json-value.ts';

const HEADERS = ['Client-Id', 'Client-Secret'] as const;
/** Maximum size of a body, in bytes, that is searched for member names. */
const BODY_MAX_BYTES = 64 * 1024;
/** The folded names of members and fields that carry a key in other systems. */
const LOOK_ALIKES: ReadonlySet<string> = new Set([
  'clientid',
  'clientsecret',
  'usuario',
  'senha',
  'username',
  'password',
  'chave',
  'chaveacesso',
  'segredo',
  'secret',
]);

export async function missingKeyReason(request: Request): Promise<string> {
  const missing = HEADERS.filter((name) => (request.headers.get(name) ?? '') === '');
  const missingText = `Não veio ${missing.length === 2 ? 'nem o cabeçalho Client-Id nem Client-Secret' : `o cabeçalho ${missing.join('')}`}.`;
  const inQuery = lookAlikes(new URL(request.url).searchParams.keys());
  const inBody = lookAlikes(await bodyNames(request));
  const places = [
    ...(inBody.length > 0 ? [`O corpo tem ${inBody.join(', ')}, e o corpo é ignorado.`] : []),
    ...(inQuery.length > 0 ? [`O endereço tem ${inQuery.join(', ')}, e isso é ignorado.`] : []),
    ...(request.headers.has('authorization') ? ['Veio Authorization, que aqui não é lido.'] : []),
  ];
  return [missingText, ...places, 'Envie Client-Id e Client-Secret como cabeçalhos HTTP.'].join(' ');
}

const lookAlikes = (names: Iterable<string>): string[] =>
  [...names].filter((name) => LOOK_ALIKES.has(name.toLowerCase().replaceAll(/[^a-z]/g, '')));

/** Returns the member names of a JSON object, or the field names of a form. Anything else has none. */
async function bodyNames(request: Request): Promise<Iterable<string>> {
  // Reads only a body that declares its length: another one could delay the answer.
  const declaredLength = Number(request.headers.get('content-length') ?? Number.NaN);
  if (!(declaredLength > 0 && declaredLength <= BODY_MAX_BYTES)) return [];
  try {
    const text = new TextDecoder().decode(await readBytes(request, BODY_MAX_BYTES)).trim();
    if (!text.startsWith('{')) return new URLSearchParams(text).keys();
    const value: unknown = JSON.parse(text);
    return isObject(value) ? Object.keys(value) : [];
  } catch {
    return []; // not JSON, or interrupted
  }
}
