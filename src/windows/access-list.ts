/** Access lists of Windows files, in their text form (SDDL). */

const SYSTEM = 'S-1-5-18';
const ADMINISTRATORS = 'S-1-5-32-544';

/** Accounts that can take any access, like root, and placeholders for the owner of a file. */
const HARMLESS: ReadonlySet<string> = new Set([SYSTEM, ADMINISTRATORS, 'S-1-3-0', 'S-1-3-4']);

/** Groups of many people: everyone, signed-in users, users and guests of the machine, applications. */
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

/** Groups of a domain, whatever its number. */
const MANY_OF_A_DOMAIN = /^S-1-5-21-[\d-]+-51[345]$/;

/** SIDs with a short name in SDDL; groups of a domain have none. */
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

/**
 * Types of entries that allow access, always or conditionally. The sixth field of an entry is the account.
 */
const ALLOWING: ReadonlySet<string> = new Set(['A', 'XA']);
const SID_PLACE = 5;

/** Absence of a list: everybody has full access. */
const NO_LIST = 'NO_ACCESS_CONTROL';

/**
 * Returns a list that admits only the accounts, the system and the administrators. New files in the folder
 * inherit it.
 */
export const listFor = (sids: readonly string[]): string =>
  `D:P${[SYSTEM, ADMINISTRATORS, ...sids].map((sid) => `(A;OICI;FA;;;${sid})`).join('')}`;

/** Returns the same list for a file that the accounts may only read. */
export const listOfReaders = (sids: readonly string[]): string =>
  `D:P${[SYSTEM, ADMINISTRATORS].map((sid) => `(A;;FA;;;${sid})`).join('')}${sids.map((sid) => `(A;;FR;;;${sid})`).join('')}`;

export interface Access {
  /** The single account that owns the folder. `undefined`: there is none. */
  readonly account: string | undefined;
  /** Other accounts with access. */
  readonly strangers: readonly string[];
  /** True when the list does not inherit from the parent folders. */
  readonly isProtected: boolean;
}

/**
 * Parses the access. `sddl` includes the owner. The account is the owner or, if a group owns the folder, the
 * first single account with access.
 */
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

/** Returns the name of a SID for people. */
export const nameOf = (sid: string): string =>
  MANY[sid] ?? (isMany(sid) ? `um grupo do domínio (${sid})` : sid);

/** Returns the PowerShell command that closes a folder again. */
export function closingCommand(path: string, account: string, strangers: readonly string[]): string {
  const grants = [SYSTEM, ADMINISTRATORS, account].map((sid) => `'*${sid}:(OI)(CI)F'`).join(' ');
  const removed = strangers.filter((sid) => sid.startsWith('S-')).map((sid) => ` '*${sid}'`);
  return `icacls '${path.replaceAll("'", "''")}' /inheritance:r /grant:r ${grants}${removed.length === 0 ? '' : ` /remove:g${removed.join('')}`} /T`;
}
