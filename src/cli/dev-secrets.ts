/** `catp dev --secrets`: whose key has which secret where other machines come in (contract section 13). */
import { USERS } from '../demo/people.ts';
import { UsageError } from '../errors.ts';
import { jsonIn } from '../validation/json.ts';
import { isObject } from '../validation/json-value.ts';
import { shown } from '../validation/shown.ts';
import type { OwnSecrets } from '../session/authentication.ts';
import { newCredentials } from '../session/secrets.ts';
import { isLoopback } from '../system/loopback.ts';
import { contentOf } from './values.ts';

/** All of them, made up: they are to be printed once. */
export const MADE_UP = '-';

const NAMES: readonly string[] = USERS.map(({ key }) => key);

/** `undefined`: the fixed ones. Throws `UsageError`, also where they would be within reach of others. */
export function ownSecrets(file: string | undefined, host: string): OwnSecrets | undefined {
  if (file === undefined) {
    if (isLoopback(host)) return undefined;
    throw new UsageError(
      `host: recebido '${host}', que outras máquinas alcançam; os segredos fixos de catp dev são só para esta. Indique os seus com --secrets <arquivo>, em JSON como {"demo": "…"}, ou --secrets - para que sejam inventados e mostrados uma vez.`,
    );
  }
  if (file === MADE_UP) return new Map(NAMES.map((name) => [name, newCredentials().clientSecret]));
  const given = read(file);
  const refused = Object.entries(given).flatMap(([name, secret]) => faultOf(name, secret));
  if (refused.length > 0) throw new UsageError(`--secrets (${file}): ${refused.join('; ')}.`);
  return new Map(NAMES.map((name) => [name, given[name] as string | undefined]));
}

function read(file: string): Readonly<Record<string, unknown>> {
  const text = contentOf('--secrets', file, 'Indique outro, ou - para que sejam inventados.').toString();
  const parsed = jsonIn(text);
  if (isObject(parsed)) return parsed;
  throw new UsageError(`--secrets: ${file} não é um objeto JSON; aceita {"demo": "segredo", …}.`);
}

/** What is wrong with one member of the file. The text tells the name of the user, never the secret. */
function faultOf(name: string, secret: unknown): readonly string[] {
  if (!NAMES.includes(name)) return [`não há o usuário ${shown(name)}; aceita ${NAMES.join(', ')}`];
  if (typeof secret !== 'string' || !VISIBLE.test(secret))
    return [`o segredo de ${name} tem de ser um texto que caiba em um cabeçalho, e não vazio`];
  return NAMES.includes(secret) ? [`o segredo de ${name} é um dos fixos, que todos conhecem`] : [];
}

/** ASCII in one line, without blanks at its ends, which a header would lose. */
const VISIBLE = /^[!-~](?:[ -~]*[!-~])?$/;
