/** What is said of remotes in the names of the API, in those of the command line. */
import { DomainError, OperatorError, UsageError } from '../errors.ts';

const FLAGS: Readonly<Record<string, string>> = {
  url: '--url',
  clientId: '--client-id',
  clientSecret: '--secret-file',
  certificate: '--pfx ou --pem',
  password: '--password-file',
  ca: '--ca',
  perHour: '--per-hour',
  downtime: '--downtime',
  companies: '--empresa',
  cpfCnpjRaiz: '--empresa',
  rules: '--rules',
  name: '<nome>',
  produtos: '--produtos',
  operadores: '--operadores',
  vinculos: '--vinculos',
};

const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/grave otherEnvironment: true/, 'diga-o com catp remote change <nome> --other-environment'],
  [/altere-o com PUT/, 'altere-o com catp remote change'],
  [/grave-a com PUT/, 'grave-a com catp remote change <nome> --url'],
  [/repita com force\b/, 'repita com --force'],
  [/Um administrador a acrescenta em companies/, 'Acrescente-a com catp remote change <nome> --empresa'],
  [
    /envie as três exportações de lá, ou peça a um administrador que grave o endereço/,
    'informe --produtos, --operadores e --vinculos, ou grave-a com catp remote change <nome> --url',
  ],
];

/** `--ca` and the like are left as they are. */
const MEMBER =
  /(?<![-\w/])(url|clientId|clientSecret|certificate|password|perHour|downtime|companies)(?![-\w])/g;
/** These are words of the language too, and members only where the problem is told. */
const PLACE = /^([a-zA-Z]+):/;

export function inFlags(text: string): string {
  const said = PHRASES.reduce((now, [phrase, flags]) => now.replace(phrase, flags), text);
  const placed = said.replace(PLACE, (whole, member: string) =>
    FLAGS[member] === undefined ? whole : `${FLAGS[member]}:`,
  );
  return placed.replace(MEMBER, (member) => FLAGS[member] ?? member);
}

/** Refusals of the rules, as whoever typed the command can mend them. */
export async function toldInFlags<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { kind, problems, message } = error;
    const told = problems.length < 2 ? message : problems.map((problem) => problem.message).join('\n');
    const words = told
      .split('\n')
      .map((line) => inFlags(line))
      .join('\n');
    throw kind === 'malformed' ? new UsageError(words) : new OperatorError(words);
  }
}
