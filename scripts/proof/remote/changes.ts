/**
 * Simulated changes by people on both sides: each record has a unique name, so that a duplicate is detected.
 */
import type { Random } from '../random.ts';
import { type Catalogue, type Kind, type Standing, linkName } from './catalogue.ts';
import { COMPANY, type Side } from './sides.ts';

const NCM = '39269090';
const COUNTRY = 'DE';
const BASE = '/catp/api/ext';

/** Changes since both sides last agreed. */
export interface Touched {
  here: boolean;
  there: boolean;
}

export interface ChangesParts {
  readonly here: Side;
  readonly there: Side;
  readonly random: Random;
}

type WhichSide = 'here' | 'there';
const WHO: Readonly<Record<WhichSide, string>> = { here: 'demo', there: 'demo2' };

export class Changes {
  readonly touched = new Map<string, Touched>();
  readonly touchedLinks = new Map<string, Touched>();
  /** Number of created records on each side. */
  readonly made = { here: 0, there: 0 };
  readonly #parts: ChangesParts;
  #known: Readonly<Record<WhichSide, Catalogue>> = { here: NOTHING, there: NOTHING };
  #names = 0;
  #contents = 0;

  constructor(parts: ChangesParts) {
    this.#parts = parts;
  }

  /** Records the state of both sides before the next changes. */
  know(here: Catalogue, there: Catalogue): void {
    this.#known = { here, there };
  }

  async here(): Promise<void> {
    await this.#change('here', this.#parts.random.pick(HERE));
  }

  async there(): Promise<void> {
    await this.#change('there', this.#parts.random.pick(THERE));
  }

  async #change(side: WhichSide, what: What): Promise<void> {
    const done = await this.#do(side, what);
    if (done) this.made[side] += 1;
  }

  /** Returns `false` when no record qualified, or the change was refused. */
  async #do(side: WhichSide, what: What): Promise<boolean> {
    const { random } = this.#parts;
    if (what === 'include produto' || what === 'include operador')
      return this.#include(side, what === 'include produto' ? 'produto' : 'operador');
    if (what === 'link') return this.#link(side);
    if (what === 'unlink') return this.#unlink(side);
    const kind = what.endsWith('produto') ? 'produto' : 'operador';
    const [name, standing] = this.#pick(side, kind) ?? [];
    if (name === undefined || standing === undefined) return false;
    if (what.startsWith('version')) return this.#version(side, name, standing);
    if (standing.situacao !== 'ATIVADO' || random.chance(0.3)) return false;
    const { codigo, versao } = standing;
    const path =
      kind === 'produto'
        ? `${BASE}/produto/desativar/${COMPANY}/${codigo}`
        : `${BASE}/operador-estrangeiro/desativar/${COMPANY}/${COUNTRY}/${codigo}/${versao}`;
    return this.#ask(side, 'PUT', path, undefined, name);
  }

  #include(side: WhichSide, kind: Kind): Promise<boolean> {
    this.#names += 1;
    const word = kind === 'produto' ? 'Peça' : 'Fabricante';
    const name = `${word} ${this.#names}${side === 'there' ? ' de lá' : ''}`;
    const path =
      kind === 'produto'
        ? `${BASE}/produto/${COMPANY}`
        : `${BASE}/operador-estrangeiro/${COMPANY}/${COUNTRY}`;
    return this.#ask(side, 'POST', path, this.#content(kind, name), name);
  }

  #version(side: WhichSide, name: string, { kind, codigo }: Standing): Promise<boolean> {
    const path =
      kind === 'produto'
        ? `${BASE}/produto/${COMPANY}/${codigo}`
        : `${BASE}/operador-estrangeiro/${COMPANY}/${COUNTRY}/${codigo}`;
    return this.#ask(side, 'PUT', path, this.#content(kind, name), name);
  }

  /** Returns content that never repeats; its codes derive from its name. */
  #content(kind: Kind, name: string): object {
    this.#contents += 1;
    const number = Number(/\d+/.exec(name)?.[0]);
    const changed = `conteúdo ${this.#contents}`;
    if (kind === 'produto')
      return {
        denominacao: name,
        descricao: changed,
        modalidade: 'IMPORTACAO',
        ncm: NCM,
        codigosInterno: number % 3 === 0 ? [] : [`SKU-${name}`],
      };
    return {
      nome: name,
      logradouro: changed,
      nomeCidade: 'Berlin',
      identificacoesAdicionais: [],
      ...(number % 3 === 0 && { tin: `TIN-${name}`.slice(0, 35) }),
      ...(number % 3 === 1 && { codigoInterno: `INT-${name}`.slice(0, 35) }),
    };
  }

  async #link(side: WhichSide): Promise<boolean> {
    const [product, ofProduct] = this.#pick(side, 'produto') ?? [];
    const [operator, ofOperator] = this.#pick(side, 'operador') ?? [];
    const isFit = ofProduct?.situacao === 'ATIVADO' && ofOperator?.situacao === 'ATIVADO';
    if (!isFit || product === undefined || operator === undefined) return false;
    return this.#linked(side, 'POST', [product, ofProduct.codigo], [operator, ofOperator.codigo]);
  }

  async #unlink(side: WhichSide): Promise<boolean> {
    const { links, records } = this.#known[side];
    if (links.size === 0) return false;
    const [product = '', operator = ''] = this.#parts.random.pick([...links]).split(' → ');
    const [ofProduct, ofOperator] = [records.get(product)?.[0], records.get(operator)?.[0]];
    if (ofProduct === undefined || ofOperator === undefined) return false;
    return this.#linked(side, 'PUT', [product, ofProduct.codigo], [operator, ofOperator.codigo]);
  }

  async #linked(
    side: WhichSide,
    method: 'POST' | 'PUT',
    [product, codigoProduto]: readonly [string, string],
    [operator, codigoOperadorEstrangeiro]: readonly [string, string],
  ): Promise<boolean> {
    const link = { codigoProduto: Number(codigoProduto), conhecido: true, codigoPais: COUNTRY };
    const answer = await this.#parts[side].call(WHO[side], method, `${BASE}/fabricante/${COMPANY}`, {
      ...link,
      codigoOperadorEstrangeiro,
    });
    if (answer.status !== 200) return false;
    touch(this.touchedLinks, linkName(product, operator), side);
    return true;
  }

  async #ask(
    side: WhichSide,
    method: string,
    path: string,
    body: object | undefined,
    name: string,
  ): Promise<boolean> {
    const answer = await this.#parts[side].call(WHO[side], method, path, body);
    // The hourly limit of the remote may be reached for its own users, too.
    if (answer.status === 422) return false;
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    touch(this.touched, name, side);
    return true;
  }

  #pick(side: WhichSide, kind: Kind): readonly [string, Standing] | undefined {
    const { random } = this.#parts;
    const fit = [...this.#known[side].records].filter(([, standings]) => standings[0]?.kind === kind);
    if (fit.length === 0) return undefined;
    const [name, [standing]] = random.pick(fit);
    return standing && [name, standing];
  }
}

const NOTHING: Catalogue = { records: new Map(), links: new Set() };

function touch(all: Map<string, Touched>, name: string, side: WhichSide): void {
  all.set(name, { ...(all.get(name) ?? { here: false, there: false }), [side]: true });
}

type What = `${'include' | 'version' | 'deactivate'} ${Kind}` | 'link' | 'unlink';

/** Frequent changes are listed several times. */
const HERE: readonly What[] = [
  ...([
    'include produto',
    'include produto',
    'include produto',
    'include operador',
    'include operador',
  ] as const),
  ...(['version produto', 'version produto', 'version operador'] as const),
  ...(['deactivate produto', 'deactivate operador', 'link', 'link', 'unlink'] as const),
];
const THERE: readonly What[] = [
  ...([
    'include produto',
    'include operador',
    'version produto',
    'version produto',
    'version operador',
  ] as const),
  ...(['deactivate produto', 'link', 'unlink'] as const),
];
