/** A folder: its content, and the folders listed before it in the plan that it may import. */
export interface Folder {
  readonly name: string;
  readonly holds: string;
  readonly below: readonly string[];
}

/**
 * The plan of `src`, from the lowest layer up: a folder does not know the folders listed after it. `.` is
 * `src` itself.
 */
const PLAN = `
.: time, refusals, changes, the version: words that all have
  nothing
windows: what only Windows has: its service manager, its access lists, its console
  nothing
system: what the runtime and the operating system are, and say
  windows
db: the data folder and its one writer; what was committed, told to who remembers
  . system
validation: shapes, texts, numbers, days and companies, right or wrong
  . system
log: lines, and the files that they go to
  . system validation
http: the wire in general: operations, the order of checks, errors as answers, the document
  . system validation log
reading: whatever is long, read aside: one pool, turns, places, readers who stall
  . system db validation
session: who is who, and what each may do
  . system db validation log http
files: files of any size, read and written piece by piece
  . system validation
sheet: XLSX and CSV in: read, guess; tables and forms to fill in out; knows columns, not products
  . validation http reading files
audit: who changed what, in a chain that shows what was changed of it
  . system db validation log http reading session sheet
settings: the one reader of the environment and catp.toml; the list of settings
  . system validation
backup: a copy as of one moment, checked before it is anything, and the way back
  . system db validation files settings
outgoing: one request to another server, and the way to it: redirects, proxies, how long is too long
  . system validation
notification: words that its rooms share
  . validation
  .
notification/delivery/send: one POST over TLS within its deadline, to an address that may be called; no database
  . system validation settings
notification/subscription: who wants to be told of what, and where; their secrets
  . system db validation http session notification notification/delivery/send
notification/event: what is told, and to whom
  . db validation http session notification notification/subscription
catalogue/attribute/words: the words and codes of attribute tables, and what a product holds of them
  .
catalogue/members: the one table of members of each record, in plain words
  catalogue/attribute/words
catalogue: what all records share: members as schemas, columns and texts, batches, codes, days, events
  . db validation http reading session sheet settings notification/event catalogue/members
catalogue/attribute/check: a product against the attributes of its NCM; no database
  . validation catalogue/attribute/words
catalogue/attribute/file: the public file of attributes by NCM, read into a plain value; no database
  . validation files catalogue/attribute/words
catalogue/attribute/origin: lists that come by themselves: when, from where, and what came of it
  . db validation session settings outgoing
nomenclature: words for an NCM: the public list, read, kept, asked and searched
  . db validation http reading session files catalogue catalogue/members catalogue/attribute/file catalogue/attribute/origin
catalogue/attribute/table: a table on disk: loaded, compared, whole again
  . system db validation reading files catalogue/attribute/words catalogue/attribute/file
idempotency: orders that a client repeats after a lost answer, and what the first one answered
  . db validation http session catalogue
catalogue/listing: a list or an export as an answer
  . validation http reading files
catalogue/paging: a list in pages: its order, its cursor, its count, its form
  . db validation http reading catalogue
catalogue/versioned: numbers, changes, look-ups, mirror and items of any record with versions: once
  . db validation session catalogue catalogue/members
catalogue/product: products: their columns, rules and forms
  . db validation http reading session nomenclature sheet catalogue catalogue/members catalogue/attribute/words catalogue/listing catalogue/paging
  catalogue/versioned
catalogue/attribute/activation: which table is in force, what another would change, and the sweep that does it
  . system db validation session files catalogue catalogue/attribute/words catalogue/attribute/check
  catalogue/attribute/table catalogue/product
catalogue/attribute/serving: the table in force, and those before it, as others read them
  . db validation reading session files catalogue/attribute/words catalogue/attribute/table catalogue/paging catalogue/attribute/activation
catalogue/attribute: attribute tables for everybody else
  . db validation http reading session files nomenclature catalogue catalogue/attribute/words catalogue/attribute/table
  catalogue/paging catalogue/attribute/activation catalogue/attribute/serving catalogue/attribute/origin
catalogue/attribute/deadline: what will be asked, when, and of which products
  . db validation http reading session sheet nomenclature catalogue catalogue/members catalogue/attribute/words catalogue/attribute/check
  catalogue/attribute/table catalogue/attribute/activation catalogue/paging catalogue/product
catalogue/concession-act: the acts that a product is under
  . db validation http reading session catalogue catalogue/members catalogue/listing catalogue/versioned catalogue/product
catalogue/foreign-operator: foreign operators: their columns, rules and forms
  . db validation http reading session sheet catalogue/members catalogue catalogue/listing catalogue/paging catalogue/versioned
catalogue/import: files in, item by item, in the background
  . system db validation http reading session files sheet catalogue catalogue/paging idempotency
catalogue/manufacturer-link: who makes a product
  . db validation http reading session sheet catalogue/members catalogue catalogue/listing catalogue/paging catalogue/versioned
  catalogue/product catalogue/foreign-operator
catalogue/sheet: rows of spreadsheets as records, and records as rows
  . db validation http reading session files sheet catalogue catalogue/members catalogue/attribute/words idempotency
  catalogue/versioned catalogue/product catalogue/import
catalogue/many: many products changed by one request, as an import
  . db validation http reading session catalogue catalogue/members catalogue/product catalogue/import idempotency
  catalogue/manufacturer-link catalogue/sheet
catalogue/mending: what waits to be mended, by reason and NCM
  . validation http reading session catalogue catalogue/members catalogue/attribute/words
  catalogue/paging catalogue/versioned catalogue/product catalogue/import
catalogue/search: one field for everything of a company
  db validation http reading session nomenclature catalogue catalogue/paging catalogue/versioned
catalogue/summary: a company's catalogue in numbers, and what asks for attention in it
  . db validation http reading session catalogue catalogue/paging catalogue/versioned
remote/compare: both sides laid out, paired and judged, aside in a Worker
  system db validation files catalogue catalogue/members catalogue/versioned catalogue/product
  catalogue/foreign-operator catalogue/manufacturer-link
replica: the machine that follows: whether it has what was committed; which of the two machines' turn it is
  . system db validation outgoing
pkcs12: bytes of certificates and keys: DER, and both in one file under a password
  system
remote/wire: one remote over HTTP: signed in, one request at a time, a good guest
  . system db validation files outgoing pkcs12
remote: in step with the public service, or with another instance: remotes, comparisons, who is who, files
  . system db validation http reading session files sheet catalogue catalogue/product catalogue/foreign-operator idempotency
  catalogue/import remote/compare remote/wire
remote/run: what is sent to a remote, or fetched from it: planned, step by step
  . db validation http session files catalogue catalogue/import catalogue/product catalogue/foreign-operator catalogue/manufacturer-link idempotency
  catalogue/versioned remote/compare remote/wire remote
remote/standing: where a product stands at each remote, as far as it is known
  . db validation http session catalogue catalogue/product catalogue/versioned remote/compare remote remote/run
remote/fetch: what comes in from a remote: planned, as the items of imports, taken in
  . db session files reading catalogue catalogue/members catalogue/product catalogue/foreign-operator
  catalogue/manufacturer-link catalogue/versioned catalogue/import remote/compare remote remote/run
dev/journal: the last requests and their answers, in memory
  . validation http session
jobs: what is done again and again, and when
  . validation
dev: what only a development instance has: a clock that is moved, a way back, states that are kept
  . db validation http session catalogue/attribute/words dev/journal jobs
dev/conformity: what the public service would have refused, held against its own rules
  . system validation http session sheet notification/event notification/subscription catalogue/versioned
  catalogue catalogue/product catalogue/manufacturer-link catalogue/attribute dev/journal
dev/fault: faults on demand, as rules and as a header, and drawn by a seed
  . system validation http session dev/journal
dev/snapshot: states that are kept under a name
  . system db validation http session
dev/stubs: other modules of the public service, by files
  . system validation http session
docs: the pages of help
  . http session settings nomenclature notification notification/event catalogue catalogue/attribute/words remote dev/fault
tls: who stands at the other end: certificates and proxies
  . system log http settings pkcs12
doctor: what is good and what is not about an instance
  . windows system db validation audit settings backup notification/delivery/send tls catalogue/attribute/origin replica
fidelity: what the specification leaves open, and what we do
  validation http session
metrics: what the process counts
  . backup
health: is it alive, is it ready
  . validation http session backup metrics replica
notification/delinquency: when a subscription has failed for too long
  . db session notification/subscription
notification/delivery/history: what became of the deliveries; one more attempt
  . db validation http reading session sheet notification notification/delivery/send notification/subscription
  notification/delinquency
notification/delivery/work: which delivery is tried when: claims, slots, repeats, outcomes
  . db log notification notification/delivery/send notification/event notification/delinquency
notification/failure: what could not be delivered, day by day
  . db validation http reading session notification
notification/retention: how long all this is kept
  . db notification
supervision: the instance as its administrators see it
  . db validation http reading session settings backup doctor replica
dev/screen: what a development instance shows to who started it
  . validation log session notification/delivery/send dev/journal
web: the pages, which know the server through its API only, judge a product's attributes by its rules and suggest what the screen of dev does
  . validation catalogue/attribute/words catalogue/members catalogue/attribute/check catalogue/attribute/file dev/screen
web/serving: the pages as the server hands them out
  . system validation http docs web
assembly: what puts things together: features on their appContext, core, app, lifecycle, and who reads aside
  . system db validation log http reading session sheet audit settings backup notification/delivery/send idempotency
  notification/subscription notification/event nomenclature catalogue catalogue/attribute/table catalogue/versioned
  catalogue/product catalogue/attribute/activation catalogue/attribute/serving catalogue/attribute/origin catalogue/attribute
  catalogue/concession-act catalogue/foreign-operator catalogue/import catalogue/manufacturer-link
  catalogue/many catalogue/sheet sheet catalogue/mending catalogue/attribute/deadline catalogue/search catalogue/summary remote/compare remote/wire remote remote/run remote/standing remote/fetch dev/journal jobs dev dev/conformity dev/fault dev/snapshot dev/stubs docs tls doctor fidelity metrics replica
  health notification/delinquency notification/delivery/history notification/delivery/work notification/failure
  notification/retention supervision web/serving
authority: certificates that we make ourselves, for a desk and for tests
  . system pkcs12
demo: what a development instance is born with, and invented catalogues of any size
  . system db validation session catalogue catalogue/attribute/words assembly authority
receiver: a receiver to try deliveries against
  . system validation authority
service: whoever starts the server, systemd or Windows: what it is told, what it knows
  . windows system validation log
cli: the command line, which knows them all
  . windows system db validation log http session audit files settings backup notification notification/subscription
  notification/event catalogue catalogue/attribute/words catalogue/attribute/check catalogue/attribute/table
  catalogue/attribute/activation catalogue/attribute catalogue/attribute/deadline catalogue/import catalogue/product
  catalogue/foreign-operator catalogue/manufacturer-link catalogue/sheet sheet remote/compare remote remote/run dev dev/conformity dev/fault dev/snapshot dev/stubs tls doctor replica
  assembly authority demo dev/screen receiver service
`;

export const FOLDERS: readonly Folder[] = [...PLAN.matchAll(/^(\S+): (.+)\n((?: {2}.+\n)+)/gm)].map(
  ([, name = '', holds = '', below = '']) => {
    const names = below.split(/\s+/).filter((word) => word !== '' && word !== 'nothing');
    return { name, holds, below: names };
  },
);

const BY_NAME = new Map(FOLDERS.map((folder) => [folder.name, folder]));

/**
 * Returns the folder of the plan that contains a file, at any depth. The entry point belongs to the commands.
 */
export function folderOf(path: string): Folder | undefined {
  if (path === 'src/main.ts') return BY_NAME.get('cli');
  const parts = path.split('/').slice(1, -1);
  for (; parts.length > 0; parts.pop()) {
    const found = BY_NAME.get(parts.join('/'));
    if (found !== undefined) return found;
  }
  return /^src\/[\w-]+\.ts$/.test(path) ? BY_NAME.get('.') : undefined;
}
