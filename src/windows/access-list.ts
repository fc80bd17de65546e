/** Lists of who may do what with a file, as Windows writes them down (SDDL). */

const SYSTEM = 'S-1-5-18';
const ADMINISTRATORS = 'S-1-5-32-544';

/** Who may take everything anyway, as root may; and placeholders for whoever owns a file. */
const HARMLESS: ReadonlySet<string> = new Set([SYSTEM, ADMINISTRATORS, 'S-1-3-0', 'S-1-3-4']);

/** Many people each: whoever is there, whoever has signed in, users and guests of the machine, applications. */
const MANY: Readonly<Record<string, string>> = {
  'S-1-1-0': 'Todos',
  'S-1-5-2': 'Usuários da rede',
  'S-1-5-4': 'Usuários interativos',
  'S-1-5-7': 'Anônimos',
  'S-1-5-11': 'Usuários autenticados',
  'S-1-5-32-545': 'Usuários',
  'S-1-5-32-546': 'Convidados',
  'S-1-15-2-1': 'Aplicativos',
};

/** Of a domain, whatever its number. */
const MANY_OF_A_DOMAIN = /^S-1-5-21-[\d-]+-51[345]$/;

/** SDDL has short names for some; the groups of a domain keep theirs. */
const SHORT: Readonly<Record<string, string>> = {
  SY: SYSTEM,
  BA: ADMINISTRATORS,
  CO: 'S-1-3-0',
  OW: 'S-1-3-4',
  WD: 'S-1-1-0',
  NU: 'S-1-5-2',
  IU: 'S-1-5-4',
  AN: 'S-1-5-7',
  AU: 'S-1-5-11',
  BU: 'S-1-5-32-545',
  BG: 'S-1-5-32-546',
  AC: 'S-1-15-2-1',
  LS: 'S-1-5-19',
  NS: 'S-1-5-20',
};
const SHORT_OF_A_DOMAIN: ReadonlySet<string> = new Set(['DU', 'DG', 'DC']);

/** Entries that let somebody in, always or on a condition; who that is stands sixth in them. */
const ALLOWING: ReadonlySet<string> = new Set(['A', 'XA']);
const SID_PLACE = 5;

/** No list at all: everybody may do everything. */
const NO_LIST = 'NO_ACCESS_CONTROL';

/** The accounts alone, beside the system and its administrators; what is made in the folder has the same. */
export const listFor = (sids: readonly string[]): string =>
  `D:P${[SYSTEM, ADMINISTRATORS, ...sids].map((sid) => `(A;OICI;FA;;;${sid})`).join('')}`;

/** The same of a file that the accounts only read. */
export const listOfReaders = (sids: readonly string[]): string =>
  `D:P${[SYSTEM, ADMINISTRATORS].map((sid) => `(A;;FA;;;${sid})`).join('')}${sids.map((sid) => `(A;;FR;;;${sid})`).join('')}`;

export interface Access {
  /** The one account that it belongs to, where there is one. */
  readonly account: string | undefined;
  /** Whoever else is let in. */
  readonly strangers: readonly string[];
  /** Whether the list stands by itself, whatever the folders above have. */
  readonly isProtected: boolean;
}

/** `sddl`: with the owner. The account is the owner or, where a group owns it, the only one that is let in. */
export function accessIn(sddl: string): Access {
  const list = sddl.slice(sddl.indexOf('D:'));
  if (list.includes(NO_LIST)) return { account: undefined, strangers: ['S-1-1-0'], isProtected: false };
  const allowed = list
    .split('(')
    .map((entry) => entry.split(')', 1)[0]?.split(';') ?? [])
    .filter(([type = '']) => ALLOWING.has(type))
    .map((parts) => longOf(parts[SID_PLACE] ?? ''));
  const others = [...new Set(allowed)].filter((sid) => !HARMLESS.has(sid));
  const owner = longOf(/^O:(S-[\d-]+|[A-Z]{2})/.exec(sddl)?.[1] ?? '');
  const account = others.includes(owner) && !isMany(owner) ? owner : others.find((sid) => !isMany(sid));
  return {
    account,
    strangers: others.filter((sid) => sid !== account),
    isProtected: /^D:[A-Z]*P/.test(list),
  };
}

const longOf = (sid: string): string => SHORT[sid] ?? sid;
const isMany = (sid: string): boolean =>
  sid in MANY || MANY_OF_A_DOMAIN.test(sid) || SHORT_OF_A_DOMAIN.has(sid);

/** As a person knows it. */
export const nameOf = (sid: string): string =>
  MANY[sid] ?? (isMany(sid) ? `um grupo do domínio (${sid})` : sid);

/** What closes a folder again, for PowerShell. */
export function closingCommand(path: string, account: string, strangers: readonly string[]): string {
  const grants = [SYSTEM, ADMINISTRATORS, account].map((sid) => `'*${sid}:(OI)(CI)F'`).join(' ');
  const removed = strangers.filter((sid) => sid.startsWith('S-')).map((sid) => ` '*${sid}'`);
  return `icacls '${path.replaceAll("'", "''")}' /inheritance:r /grant:r ${grants}${removed.length === 0 ? '' : ` /remove:g${removed.join('')}`} /T`;
}
