/** Sessions: sign-in and the user accounts. */
import type { CatalogueRules } from '../../validation/company.ts';
import type { AppContext } from '../app-context.ts';
import type { EpochMs } from '../../clock.ts';
import type { Feature } from '../feature.ts';
import { originOf } from '../../http/address.ts';
import type { Client } from '../../http/exchange-log.ts';
import type { Origins } from '../../tls/origins.ts';
import {
  Accounts,
  type AccountsDependencies,
  type RecordsOf,
  type OnUserRemoved,
} from '../../session/accounts.ts';
import { accountChanges } from '../../session/account-changes.ts';
import { Authentication, type OwnSecrets } from '../../session/authentication.ts';
import { Guard } from '../../session/guard.ts';
import { HourlyLimit } from '../../session/hourly-limit.ts';
import type { AccountChange, Attempt } from '../../session/model.ts';
import { PasswordHashes } from '../../session/password-hashes.ts';
import { OwnAccount } from '../../session/own-account.ts';
import { OwnAccountStore } from '../../session/own-account-store.ts';
import { PasswordStore } from '../../session/password-store.ts';
import { GroupStore } from '../../session/group-store.ts';
import { Groups } from '../../session/groups.ts';
import { Identities } from '../../session/identities.ts';
import { IdentityStore } from '../../session/identity-store.ts';
import type { ProviderAccess } from '../../oidc/routes.ts';
import type { ProviderSignInOptions } from '../../oidc/sign-in.ts';
import { Passwords, type QueueInvitation } from '../../session/passwords.ts';
import { Registry } from '../../session/registry.ts';
import { signInRoutes } from '../../session/routes.ts';
import { instanceNameOf } from '../../session/secrets.ts';
import { SessionStore } from '../../session/store.ts';
import { Throttle } from '../../session/throttle.ts';
import { Tokens } from '../../session/tokens.ts';

export interface SessionParts {
  readonly rules: CatalogueRules;
  readonly onUserRemoved: OnUserRemoved;
  readonly recordsOf: RecordsOf;
  readonly onCompanyRemoved: AccountsDependencies['stopWorkOf'];
  /** Identifies the client of a request. Absent: every client is the local one. */
  readonly origins?: Origins;
  readonly ownSecrets?: OwnSecrets;
  readonly queueInvitation: QueueInvitation | undefined;
  /** Called for each change of an account, after the commit. */
  readonly onAccountChanged: (change: AccountChange) => void;
  /** Present in a server whose people sign in by a provider. */
  readonly openProvider?: OpenProvider;
}

/** Opens the sign-in by the provider on the accounts of a folder. */
export type OpenProvider = (needs: Omit<ProviderSignInOptions, 'settings' | 'wallClock'>) => ProviderAccess;

const NOBODY: Client = { address: 'local', scheme: 'http' };

export function openSession(appContext: AppContext, parts: SessionParts) {
  const { db, writer, feed, settings, clock, realTime, folder } = appContext;
  const clientOf = (request: Request): Client => parts.origins?.clientOf(request) ?? NOBODY;
  const schemeOf = (request: Request) => parts.origins?.schemeOf(request) ?? NOBODY.scheme;
  const { ambiente } = settings;
  const store = new SessionStore(db);
  const instance = instanceNameOf(folder.keys.secrets);
  const passwordStore = new PasswordStore(db);
  const registry = new Registry(feed, store, passwordStore, instance);
  const { onUserRemoved, recordsOf, onCompanyRemoved: stopWorkOf } = parts;
  const change = accountChanges(writer, feed, parts.onAccountChanged);
  const accounts = new Accounts({ store, change, onUserRemoved, recordsOf, stopWorkOf });
  const tokens = new Tokens(folder.keys.tokens, ambiente, clock);
  const guard = new Guard(tokens, registry);
  const throttle = new Throttle(realTime);
  const hashes = new PasswordHashes(realTime);
  const passwords = new Passwords({
    store,
    passwords: passwordStore,
    hashes,
    throttle,
    clock,
    areAllowed: settings['senha.permitida'],
    realTime,
    queueInvitation: parts.queueInvitation,
    change,
  });
  const ownAccount = new OwnAccount(change, store, new OwnAccountStore(db));
  const attempts = new WeakMap<Request, Attempt>();
  const intervalMs = settings['autenticacao.intervalo'];
  const identityStore = new IdentityStore(db);
  const identities = new Identities(store, identityStore, change);
  const groups = new Groups(change, clock, new GroupStore(db), (...given) =>
    accounts.requireCompanies(...given),
  );
  let provider: ProviderAccess | undefined;
  const authentication = new Authentication({
    store,
    passwords: passwordStore,
    writer,
    tokens,
    clock,
    throttle,
    ambiente,
    instance,
    intervalMs,
    ownSecrets: parts.ownSecrets,
  });
  feed.onReplaced(() => authentication.resetPace());
  const addressOf = (request: Request): string => clientOf(request).address;

  const signIn: Feature = {
    operations: () => {
      provider = parts.openProvider?.({
        realTime,
        key: folder.keys.secrets,
        boundUser: (issuer, sub) => identities.userOf(issuer, sub),
        findUser: (documento) => store.findUser(documento),
        createUser: (person) => accounts.putUser({ ...person, tipo: 'PRIV' }),
        putGroups: (documento, names) => groups.updateRights(documento, names),
        judge: (user) => authentication.judgePerson(user, 'provider'),
        momentOf: (user) => authentication.momentOf(user, 'provider'),
        hasEnded: (user, moment) => authentication.hasEnded(user, 'provider', moment),
      });
      return signInRoutes({
        authentication,
        addressOf,
        certificateOf: (request) => parts.origins?.certificateOf(request),
        onCertificateRefusal: (...refusal) => parts.origins?.refused(...refusal),
        onKeyRefusal: (...refusal) => parts.origins?.keyRefused(...refusal),
        attempts,
      });
    },
    lateOperations: ({ sessionRoutes, meRoutes, passwordRoutes, providerRoutes }) => [
      ...sessionRoutes({
        authentication,
        accounts,
        guard,
        providerEndAddress: async () => provider?.endAddress(),
      }),
      ...meRoutes(ownAccount, accounts),
      ...passwordRoutes({
        passwords,
        authentication,
        guard,
        rules: parts.rules,
        addressOf,
        originOf: (request) => settings['servidor.endereco'] || originOf(request, schemeOf(request)),
        onRefusal: (...refusal) => parts.origins?.passwordRefused(...refusal),
        attempts,
      }),
      ...providerRoutes({ trade: (...given) => provider?.trade(...given), authentication, attempts }),
    ],
    close: () => hashes.close(),
  };
  const limit = new HourlyLimit(settings.limiteHorario, clock);
  feed.onReplaced(() => limit.forget());
  const administration: Feature = {
    lateOperations: ({ accountRoutes, identityRoutes, groupRoutes }) => [
      ...accountRoutes(accounts, parts.rules),
      ...identityRoutes(identities, parts.rules),
      ...groupRoutes(groups),
    ],
    jobs: [
      {
        name: 'grupos-vencidos',
        about: 'Retira o que os grupos do provedor deram a quem não entra por ele há 30 dias.',
        pattern: '55 3 * * *',
        atStart: true,
        runOnce: () => groups.runOnce(),
      },
    ],
  };
  return {
    store,
    registry,
    accounts,
    /** Returns the client of a request, for the request pipeline. */
    clientOf,
    schemeOf,
    passwords,
    attempts,
    guard,
    /** Keeps sessions valid when a test clock jumps. */
    clockPut: (from: EpochMs, to: EpochMs) => tokens.recordLeap(from, to),
    limit,
    throttle,
    signIn,
    /** Returns the pages of the sign-in by the provider, once the operations are listed. */
    providerPages: (): ProviderAccess['pages'] => provider?.pages ?? new Map(),
    administration,
  };
}
