/** A folder: its content, and the folders listed before it in the plan that it may import. */
export interface Folder {
  readonly name: string;
  readonly holds: string;
  readonly below: readonly string[];
}

/**
 * The plan of `src`, from the lowest layer up: a folder does not import the folders listed after it. `.` is
 * `src` itself.
 */
const PLAN = `
.: time, refusals, changes, the version: types that every folder uses
  nothing
windows: the service manager, access lists and console of Windows
  nothing
system: facts about the runtime and the operating system
  windows
db: the data folder, its one writer, and the feed of what was committed
  . system
validation: checks of forms, texts, numbers, days and companies
  . system
log: log lines and log files
  . system validation
http: operations, the order of checks, errors as answers, the API document
  . system validation log
reading: long reads off the main thread: the pool, its turns, stalled readers
  . system db validation
session: users, sign-in and rights
  . system db validation log http reading
files: files of any size, read and written as streams
  . system validation
sheet: reads, guesses and writes XLSX and CSV; knows columns, not products
  . validation http reading files
audit: the trail of changes, chained by hashes
  . system db validation log http reading session sheet
settings: the list of settings, and the only reader of the environment and catp.toml
  . system validation
backup: checked copies of one moment, and their restore
  . system db validation files settings
jobs: repeated work, its schedule, and the loop of queued work
  . validation
outgoing: one request to another server, with redirects, proxies and time limits
  . system validation
notification: types that its folders share
  . validation
  .
notification/delivery/send: one POST over TLS within its deadline, to an allowed address; no database
  . system validation settings
notification/subscription: subscriptions and their secrets
  . system db validation http session notification notification/delivery/send
notification/event: events and their recipients
  . db validation http session notification notification/subscription
catalogue/attribute/words: texts and codes of attribute tables, and the attributes of a product
  .
catalogue/members: the table of members of each record
  validation catalogue/attribute/words
catalogue: shared by all records: members as schemas, columns and texts, batches, codes, days, events
  . db validation http reading session sheet settings notification/event catalogue/members
catalogue/attribute/check: a product against the attributes of its NCM; no database
  . validation catalogue/attribute/words
catalogue/attribute/file: reads the public file of attributes by NCM; no database
  . validation files catalogue/attribute/words
catalogue/attribute/origin: lists fetched by schedule: time, address and result
  . db validation session settings outgoing
nomenclature: the public list of NCM texts, loaded and searched
  . db validation http reading session files catalogue catalogue/members catalogue/attribute/file catalogue/attribute/origin
catalogue/attribute/table: a stored table: loaded, compared, read whole
  . system db validation reading files catalogue/attribute/words catalogue/attribute/file
idempotency: requests that a client repeats after a lost answer, and the first answer
  . db validation http session catalogue
catalogue/listing: a list or an export as an answer
  . validation http reading files
catalogue/paging: a list in pages: its order, its cursor, its count, its form
  . db validation http reading catalogue
catalogue/versioned: numbers, changes, look-ups, mirror and items of every record with versions
  . db validation session catalogue catalogue/members
catalogue/product: products: their columns, rules and forms
  . db validation http reading session nomenclature sheet catalogue catalogue/members catalogue/attribute/words catalogue/listing catalogue/paging
  catalogue/versioned
catalogue/attribute/activation: the table in force, the impact of another, and the sweep of products
  . system db validation session files catalogue catalogue/attribute/words catalogue/attribute/check
  catalogue/attribute/table catalogue/product
catalogue/attribute/serving: answers about the table in force and earlier ones
  . db validation reading session files catalogue/attribute/words catalogue/attribute/table catalogue/paging catalogue/attribute/activation
catalogue/attribute: attribute tables for everybody else
  . db validation http reading session files nomenclature catalogue catalogue/attribute/words catalogue/attribute/table
  catalogue/paging catalogue/attribute/activation catalogue/attribute/serving catalogue/attribute/origin
catalogue/attribute/deadline: future requirements, their days and products
  . db validation http reading session sheet nomenclature catalogue catalogue/members catalogue/attribute/words catalogue/attribute/check
  catalogue/attribute/table catalogue/attribute/activation catalogue/paging catalogue/product
catalogue/concession-act: the acts that a product is under
  . db validation http reading session catalogue catalogue/members catalogue/listing catalogue/versioned catalogue/product
catalogue/foreign-operator: foreign operators: their columns, rules and forms
  . db validation http reading session sheet catalogue/members catalogue catalogue/listing catalogue/paging catalogue/versioned
catalogue/import: imports files item by item in the background
  . system db jobs validation http reading session files sheet catalogue catalogue/members catalogue/paging idempotency
catalogue/manufacturer-link: manufacturers of a product
  . db validation http reading session sheet catalogue/members catalogue catalogue/listing catalogue/paging catalogue/versioned
  catalogue/product catalogue/foreign-operator
catalogue/sheet: rows of spreadsheets as records, and records as rows
  . db validation http reading session files sheet catalogue catalogue/members catalogue/attribute/words idempotency
  catalogue/versioned catalogue/product catalogue/import
catalogue/bulk-change: many products changed by one request, as an import
  . db validation http reading session catalogue catalogue/members catalogue/product catalogue/import idempotency
  catalogue/manufacturer-link catalogue/sheet
catalogue/proposal: dry runs that one person proposes and another approves
  . db validation http reading session catalogue catalogue/import catalogue/paging idempotency
catalogue/mending: products to correct, by reason and NCM
  . validation http reading session catalogue catalogue/members catalogue/attribute/words
  catalogue/paging catalogue/versioned catalogue/product catalogue/import
catalogue/search: searches all records of a company
  db validation http reading session nomenclature catalogue catalogue/paging catalogue/versioned
catalogue/summary: counts of a company's catalogue, and matters that need attention
  . db validation http reading session catalogue catalogue/paging catalogue/versioned
email: messages to people: queued with their cause, sent by SMTP; the daily one
  . system db validation log http reading session settings jobs catalogue/summary
remote/compare: pairs and compares both catalogues in a process of its own
  system db validation files catalogue catalogue/members catalogue/versioned catalogue/product
  catalogue/foreign-operator catalogue/manufacturer-link
oidc: sign-in by an OpenID Connect provider
  . system db validation http session settings outgoing
replica: the following machine: whether it holds each commit, and which machine may write
  . system db validation outgoing
pkcs12: bytes of certificates and keys: DER, and both in one file under a password
  system
remote/wire: one remote over HTTP: signed in, one request at a time, within its limits
  . system db validation files outgoing pkcs12
remote: remotes, comparisons, pairs of records and files; the public service or another instance
  . system db jobs validation http reading session files sheet catalogue catalogue/product catalogue/foreign-operator idempotency
  catalogue/import remote/compare remote/wire
remote/run: plans and carries out what is sent to a remote or fetched from it
  . db jobs validation http session files catalogue catalogue/import catalogue/product catalogue/foreign-operator catalogue/manufacturer-link idempotency
  catalogue/versioned remote/compare remote/wire remote
remote/standing: the state of a product at each remote, as far as known
  . db validation http session catalogue catalogue/product catalogue/versioned remote/compare remote remote/run
remote/fetch: takes in changes of a remote as items of imports
  . db session files reading catalogue catalogue/members catalogue/product catalogue/foreign-operator
  catalogue/manufacturer-link catalogue/versioned catalogue/import remote/compare remote remote/run
dev/journal: the last requests and their answers, in memory
  . validation http session
dev: only in a development instance: the test clock and the reset
  . db validation http session catalogue/attribute/words dev/journal jobs
dev/conformity: requests that the public service would have refused
  . system validation http session sheet notification/event notification/subscription catalogue/versioned
  catalogue catalogue/product catalogue/manufacturer-link catalogue/attribute dev/journal
dev/fault: simulated faults by rule, header or seed
  . system validation http session dev/journal
dev/snapshot: named states of the data
  . system db validation http session
dev/stubs: other modules of the public service, answered from files
  . system validation http session
docs: the handbook
  . http session oidc settings nomenclature email notification notification/event catalogue catalogue/attribute/words remote dev/fault
tls: client certificates, revocation lists and proxies
  . system validation log http settings pkcs12
doctor: checks of an instance
  . windows system db validation audit settings backup notification/delivery/send tls catalogue/attribute/origin replica oidc
fidelity: gaps of the specification and how each is filled
  validation http session
metrics: counters of the process
  . backup
health: liveness and readiness
  . validation http session backup metrics replica
notification/delinquency: subscriptions that have failed for too long
  . db session notification/subscription
notification/delivery/history: results of deliveries, and sending again
  . db validation http reading session sheet notification notification/delivery/send notification/subscription
  notification/delinquency
notification/delivery/work: schedules deliveries: claims, repeats, outcomes
  . db log session notification notification/delivery/send notification/event notification/delinquency
notification/failure: failed deliveries by day
  . db validation http reading session notification
notification/retention: retention of events and deliveries
  . db notification
supervision: the instance for its administrators
  . db validation http reading session settings backup doctor replica
dev/screen: the terminal of a development instance
  . validation log session notification/delivery/send dev/journal
web: the pages; they use the API, and the rules of a product's attributes, and the words of the attention list
  . validation catalogue/attribute/words catalogue/members catalogue/attribute/check catalogue/attribute/file catalogue/summary dev/screen
web/serving: serves the pages, and prints those of the handbook
  . system validation http docs web
assembly: builds the features, the core and the server, and starts the reading processes
  . email system db validation log http reading session sheet audit settings backup notification/delivery/send idempotency
  notification/subscription notification/event nomenclature catalogue catalogue/attribute/table catalogue/versioned
  catalogue/product catalogue/attribute/activation catalogue/attribute/serving catalogue/attribute/origin catalogue/attribute
  catalogue/concession-act catalogue/foreign-operator catalogue/import catalogue/manufacturer-link
  catalogue/bulk-change catalogue/sheet sheet catalogue/proposal catalogue/mending catalogue/attribute/deadline catalogue/search catalogue/summary remote/compare remote/wire remote remote/run remote/standing remote/fetch dev/journal jobs dev dev/conformity dev/fault dev/snapshot dev/stubs docs tls doctor fidelity metrics replica
  health notification/delinquency notification/delivery/history notification/delivery/work notification/failure
  notification/retention supervision web/serving oidc
authority: certificates made for development and tests
  . system pkcs12
demo: demonstration data, and invented catalogues of any size
  . system db validation session catalogue catalogue/attribute/words assembly authority
receiver: a receiver for trying deliveries
  . system validation authority
service: messages to and from systemd and Windows services
  . windows system validation log
cli: the command line
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
    const folder = BY_NAME.get(parts.join('/'));
    if (folder !== undefined) return folder;
  }
  return /^src\/[\w-]+\.ts$/.test(path) ? BY_NAME.get('.') : undefined;
}
