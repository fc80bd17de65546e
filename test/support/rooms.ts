/** What one would look for in a room, which files it is, and which of the rooms above it in the plan it looks into. */
export interface Room {
  readonly name: string;
  readonly holds: string;
  /** Paths under `src`; a folder is all that no longer path takes, and `*` is any folder. */
  readonly is: readonly string[];
  readonly uses: readonly string[];
}

/** The plan of the house, from the ground up: what stands below a room knows nothing of it. */
const PLAN = `
system: what the runtime and the operating system are, and say
  is    system/
  uses  nothing
words: time, refusals, the log, shares; shapes, texts, numbers and days, right or wrong
  is    change.ts clock.ts errors.ts log.ts log-file.ts profile.ts shares.ts version.ts validation/
  uses  system
settings: the one reader of the environment and catp.toml; the list of settings
  is    config.ts config-template.ts settings.ts setting-kinds.ts
  uses  words system
http: the wire in general: operations, the order of checks, errors as answers, the document
  is    http/
  uses  words system
tls: who stands at the other end: certificates and proxies
  is    tls/
  uses  words system settings http
authority: certificates that we make ourselves, for a desk and for tests
  is    authority/
  uses  words
files: files of any size, read and written piece by piece
  is    files/
  uses  words
db: the data folder and its one writer; what was committed, told to who remembers
  is    db/
  uses  words system
jobs: what is done again and again, and when
  is    jobs/
  uses  words
backup: a copy as of one moment, checked before it is anything, and the way back
  is    backup/
  uses  words system settings files db
metrics: what the process counts
  is    health/metrics.ts health/prom-client.d.ts
  uses  words backup
reading: whatever is long, read aside: one pool, turns, places, readers who stall
  is    reading/
  uses  words system db
company: the form of cpfCnpjRaiz, by which every catalogue is named, and of its numbers
  is    catalogue/company.ts catalogue/check-digits.ts
  uses  nothing
session: who is who, and what each may do
  is    session/
  uses  words system http db company
audit: who changed what, in a chain that shows what was changed of it
  is    audit/
  uses  words system db http reading session
fidelity: what the specification leaves open, and what we do
  is    fidelity/
  uses  http session

notification: words that its rooms share
  is    notification/
  uses  words
send: one POST over TLS within its deadline, to an address that may be called; no database
  is    notification/delivery/send/
  uses  words system settings
subscription: who wants to be told of what, and where; their secrets
  is    notification/subscription/
  uses  words system http db session notification send
event: what is told, and to whom
  is    notification/event/
  uses  words http db session notification subscription
failure: what could not be delivered, day by day
  is    notification/failure/
  uses  words http db reading session notification
retention: how long all this is kept
  is    notification/retention/
  uses  words db notification
delinquency: when a subscription has failed for too long
  is    notification/delinquency/
  uses  words db session subscription
history: what became of the deliveries; one more attempt
  is    notification/delivery/history/
  uses  words http db reading session notification subscription send
work: which delivery is tried when: claims, slots, repeats, outcomes
  is    notification/delivery/work/
  uses  words db send event delinquency

catalogue: what all records share: batches, codes, days, events
  is    catalogue/
  uses  words http db company session event
listing: a list or an export as an answer
  is    catalogue/listing/
  uses  words http files reading
paging: a list in pages: its order, its cursor, its form
  is    catalogue/paging/
  uses  words http reading
versioned: numbers, changes, look-ups, mirror and items of any record with versions: once
  is    catalogue/versioned/
  uses  words db session catalogue
table-words: the words and codes of attribute tables, and what a product's attributes hold
  is    catalogue/attribute/model.ts catalogue/attribute/codes.ts catalogue/attribute/values.ts
  uses  words
product: products: their columns, rules and forms
  is    catalogue/product/
  uses  words http db company session catalogue listing paging reading versioned table-words
operator: foreign operators: their columns, rules and forms
  is    catalogue/foreign-operator/
  uses  words http db company session catalogue listing paging reading versioned
link: who makes a product
  is    catalogue/manufacturer-link/
  uses  words http db company session catalogue listing paging reading versioned product operator
concession-act: the acts that a product is under
  is    catalogue/concession-act/
  uses  words http db company session catalogue listing versioned product
summary: a company's catalogue in numbers
  is    catalogue/summary/
  uses  http db company session catalogue paging reading versioned
file: the public file of attributes by NCM, read into a plain value; no database
  is    catalogue/attribute/file/
  uses  words files table-words
check: a product against the attributes of its NCM; no database
  is    catalogue/attribute/check/
  uses  words table-words
table: a table on disk: loaded, compared, whole again
  is    catalogue/attribute/table/
  uses  words files db table-words file
activation: which table is in force, what another would change, and the sweep that does it
  is    catalogue/attribute/activation/
  uses  words system files db session table-words product check table
serving: the table in force, and those before it, as others read them
  is    catalogue/attribute/serving/
  uses  words system files db paging reading table-words check table activation
attribute: attribute tables for everybody else
  is    catalogue/attribute/
  uses  words system http files paging reading session table-words catalogue table activation serving
import: files in, item by item, in the background
  is    catalogue/import/
  uses  words system http files db reading session catalogue
many: many products changed by one request, as an import
  is    catalogue/many/
  uses  words http db reading company session catalogue listing product link import
doctor: what is good and what is not about an instance
  is    doctor/
  uses  words system settings tls db backup audit send
long-reads: everything that is read aside, kind by kind
  is    catalogue/listings.ts catalogue/pages.ts reading/texts.ts reading/reading.worker.ts
  uses  db reading audit history doctor serving product operator link concession-act summary activation

supervision: the instance as its administrators see it
  is    supervision/
  uses  words settings http db backup reading session doctor
health: is it alive, is it ready
  is    health/
  uses  words http backup metrics session
journal: the last requests and their answers, in memory
  is    dev/journal/
  uses  words http session
screen: what a development instance shows to who started it
  is    dev/screen/
  uses  words session send journal
fault: faults on demand, as rules and as a header
  is    dev/fault/
  uses  words system http session
dev: what only a development instance has: a clock that is moved, a way back, states that are kept
  is    dev/
  uses  words system http db jobs session journal table-words
features: each put together from its rooms, on the ground that all stand on; core.ts is their list
  is    core.ts feature.ts ground.ts life.ts */feature.ts */ground.ts catalogue/rules.ts
  uses  words system settings http tls db jobs backup metrics reading company session audit fidelity send
        subscription event failure retention delinquency history work catalogue versioned product operator
        link concession-act summary table activation serving attribute import many long-reads supervision health journal
        fault dev
docs: the pages of help
  is    docs/
  uses  words settings http session notification event table-words catalogue
web: the pages, which know the server through its API only, and judge a product's attributes by its rules
  is    web/
  uses  words company files table-words file check
collection: the document as requests for Postman and Bruno
  is    collection/
  uses  nothing
pages: the pages as the server hands them out
  is    web/serving/
  uses  words system http docs web collection
app: the server over the features
  is    app.ts session/gate.ts
  uses  words system settings http tls db jobs metrics session fault features docs pages
service: the systemd that starts the server: its unit, what it is told, what it knows
  is    service/
  uses  words system
demo: what a development instance is born with, and invented catalogues of any size
  is    demo/
  uses  words system authority db session catalogue table-words features
receiver: a receiver to try deliveries against
  is    receiver/
  uses  words system authority
cli: the command line, which knows them all
  is    main.ts cli/
  uses  words system settings http tls authority files db backup company session audit notification subscription
        event table-words check table activation attribute import long-reads doctor screen dev features collection app
        demo receiver service
`;

export const ROOMS: readonly Room[] = PLAN.split(/\n(?=[\w-]+: )/)
  .filter((drawn) => drawn.trim() !== '')
  .map((drawn) => {
    const [, name = '', holds = '', is = '', uses = ''] =
      /^\s*([\w-]+): (.*)\n {2}is {4}([^]*?)\n {2}uses {2}([^]*)$/.exec(drawn) ?? [];
    return { name, holds, is: wordsOf(is), uses: wordsOf(uses).filter((used) => used !== 'nothing') };
  });

/** The room of a file: the one that names it most exactly. */
export function roomOf(path: string): Room | undefined {
  let [found, longest]: [Room | undefined, number] = [undefined, 0];
  for (const room of ROOMS)
    for (const place of room.is) {
      const isThere = place.startsWith('*')
        ? path.endsWith(place.slice(1))
        : place.endsWith('/')
          ? path.startsWith(`src/${place}`)
          : path === `src/${place}`;
      const exactness = place.endsWith('/') ? place.length : Number.MAX_SAFE_INTEGER;
      if (isThere && exactness > longest) [found, longest] = [room, exactness];
    }
  return found;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
