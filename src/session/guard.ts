/**
 * Checks every access: who is signed in (401), and whose catalogue the caller may read or write (403).
 * Contract section 2.
 */
import { type DomainError, forbidden, notAdministrator } from '../errors.ts';
import type { Caller } from './model.ts';
import type { Loss, Registry } from './registry.ts';
import type { Claims, Tokens } from './tokens.ts';
import { type Right, includesRight } from '../right.ts';
import type { OperationRight } from '../http/operation.ts';
import { formatValue } from '../validation/format-value.ts';
import { type SentCredentials, endedSession, wrongAuthorization, wrongCsrf } from './wrong-token.ts';

export interface SignedIn {
  readonly caller: Caller;
  readonly claims: Claims;
}

const BEARER = /^Bearer +/i;

export class Guard {
  readonly #tokens: Tokens;
  readonly #registry: Registry;
  /** Cache of this turn. A session keeps one claims object until a leap of the clock changes its end. */
  readonly #renewed = new Map<Claims, Readonly<Record<string, string>>>();
  readonly #turnEnds = (): void => this.#renewed.clear();

  constructor(tokens: Tokens, registry: Registry) {
    this.#tokens = tokens;
    this.#registry = registry;
  }

  /** Throws 401: first for the JWT, then for the CSRF token. */
  signedIn(credentials: SentCredentials): SignedIn | Promise<SignedIn> {
    const { authorization } = credentials;
    const claims = authorization === null || authorization === '' ? undefined : this.claimsOf(authorization);
    return claims instanceof Promise
      ? claims.then((verified) => this.#admit(verified, credentials))
      : this.#admit(claims, credentials);
  }

  /**
   * Calls `lost` with the refusal when the session ends, or a right of its caller. Returns a function that
   * stops the watch.
   */
  watch(claims: Claims, onLoss: (refusal: DomainError) => void): () => void {
    return this.#registry.watch(claims, (loss) =>
      onLoss(loss.kind === 'session' ? endedSession() : rightsEnded(loss)),
    );
  }

  /**
   * Returns the caller for the operations of administrators. A change is refused once the caller is no longer
   * an administrator. `undefined`: the caller is no administrator.
   */
  administratorOf({ caller, claims }: SignedIn): Caller | undefined {
    if (!caller.administrador) return undefined;
    const requireAdministrator = (): void => {
      if (!this.#registry.isAdministrator(claims)) throw notAdministrator();
    };
    const members = Object.getOwnPropertyDescriptors({ requireAdministrator });
    return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(caller), ...members }) as Caller;
  }

  claimsOf(authorization: string): Claims | undefined | Promise<Claims | undefined> {
    return this.#tokens.verify(authorization.replace(BEARER, ''));
  }

  #admit(claims: Claims | undefined, credentials: SentCredentials): SignedIn | Promise<SignedIn> {
    const caller = claims && this.#registry.find(claims);
    if (claims === undefined || caller === undefined)
      return rejectWith(wrongAuthorization(credentials, this.#tokens));
    const { csrf } = credentials;
    if (csrf === null || !this.#tokens.isCsrf(csrf, claims)) throw wrongCsrf(csrf, claims.jti, this.#tokens);
    return { caller, claims };
  }

  /**
   * Returns the headers of every answer to a signed-in caller. All answers in one turn of the event loop
   * share them: no client can have waited for one answer before the next request.
   */
  renewedHeaders(claims: Claims): Readonly<Record<string, string>> {
    const cached = this.#renewed.get(claims);
    if (cached !== undefined) return cached;
    if (this.#renewed.size === 0) setImmediate(this.#turnEnds);
    const { token, expiresAt } = this.#tokens.newCsrf(claims);
    const headers = { 'X-CSRF-Token': token, 'X-CSRF-Expiration': String(expiresAt) };
    this.#renewed.set(claims, headers);
    return headers;
  }
}

async function rejectWith(reason: Promise<DomainError>): Promise<never> {
  throw await reason;
}

const mayRead = (caller: Caller, cpfCnpjRaiz: string): boolean =>
  caller.companies.has(cpfCnpjRaiz) || (caller.tipo === 'PUBL' && !caller.administrador);

/** Returns true for a private party that represents the company, with any right. */
export const represents = (caller: Caller, cpfCnpjRaiz: string): boolean =>
  caller.tipo === 'PRIV' && caller.companies.has(cpfCnpjRaiz);

export const NOT_REPRESENTATIVE = 'O usuário logado não é representante legal do CPF/CNPJ Raiz.';

/** Maximum companies that the refusal names. */
const NAMED_COMPANIES_MAX = 3;

/** Returns the refusal of a request whose caller lost rights while it was answered. */
function rightsEnded({ companies, administrador }: Extract<Loss, { kind: 'rights' }>): DomainError {
  const firstCompanies = companies.slice(0, NAMED_COMPANIES_MAX).join(', ');
  const more = companies.length - NAMED_COMPANIES_MAX;
  const onLoss = [
    ...(companies.length > 0 ? [`representar ${firstCompanies}${more > 0 ? ` e mais ${more}` : ''}`] : []),
    ...(administrador ? ['ser administrador'] : []),
  ].join(' e de ');
  return forbidden(
    `O usuário logado deixou de ${onLoss} enquanto esta requisição era respondida; a resposta foi interrompida. Repita-a só se ela não depende disso; se depende, peça o direito a um administrador.`,
  );
}

/** Returns the refusal of a company. The command line, which has no user, may write every company of its folder. */
const refusalOf = ({ documento }: Caller, cpfCnpjRaiz: string): DomainError =>
  forbidden(
    documento === ''
      ? `A empresa ${formatValue(cpfCnpjRaiz)} não está nesta pasta de dados. Inclua-a antes com catp company add.`
      : NOT_REPRESENTATIVE,
  );

/** Throws 403 unless the caller may read the catalogue of that company. */
export function requireRead(caller: Caller, cpfCnpjRaiz: string): void {
  if (!mayRead(caller, cpfCnpjRaiz)) throw refusalOf(caller, cpfCnpjRaiz);
}

/** Throws 403 unless the caller represents that company. */
export function requireRepresentation(caller: Caller, cpfCnpjRaiz: string): void {
  if (!represents(caller, cpfCnpjRaiz)) throw refusalOf(caller, cpfCnpjRaiz);
}

/** Returns true when the caller represents that company with at least that right. */
export const hasRight = (caller: Caller, cpfCnpjRaiz: string, needed: Right): boolean => {
  const right = represents(caller, cpfCnpjRaiz) ? caller.companies.get(cpfCnpjRaiz) : undefined;
  return right !== undefined && includesRight(right, needed);
};

/** Throws 403 unless the caller represents that company with at least that right (contract section 27). */
export function requireRight(caller: Caller, cpfCnpjRaiz: string, needed: OperationRight): void {
  requireRepresentation(caller, cpfCnpjRaiz);
  const right = caller.companies.get(cpfCnpjRaiz) as Right; // it is a representative
  if (needed === 'none' || includesRight(right, needed)) return;
  const people = caller.peopleWith?.(cpfCnpjRaiz, needed) ?? [];
  throw forbidden(
    `Seu papel para esta empresa é ${right}; isto pede ${needed}. ${people.length === 0 ? 'Peça-o a um administrador.' : `Peça a quem o tem: ${people.join(', ')}.`}`,
  );
}

/**
 * Throws 403 unless the caller has at least that right for some company. `noCompany`: the message for a
 * caller who represents no company. A caller of one company gets the message about the right for that
 * company.
 */
export function requireRightForSome(caller: Caller, needed: OperationRight, noCompany: string): void {
  const rights = [...caller.companies.values()];
  const [company, ...others] = caller.companies.keys();
  if (caller.tipo === 'PUBL' || company === undefined) throw forbidden(noCompany);
  if (others.length === 0) return requireRight(caller, company, needed);
  const greatest = rights.reduce((one, other) => (includesRight(one, other) ? one : other));
  if (needed === 'none' || includesRight(greatest, needed)) return;
  throw forbidden(
    `Seu papel é ${greatest} em todas as suas empresas; isto pede ${needed}. Peça-o a um administrador.`,
  );
}

/**
 * Returns the caller with the greatest right over its companies, for a dry run: it writes no data, and shows
 * the changes of an approved write.
 */
export const asApprover = (caller: Caller): Caller => ({
  ...caller,
  companies: new Map([...caller.companies.keys()].map((company) => [company, 'aprovacao'])),
});
