/**
 * Stores products. Lists and exports have their own reader (list-query.ts), and so have sweeps
 * (active-store.ts).
 */
import type { EpochMs } from '../../clock.ts';
import { FolderMarks } from '../../db/folder-mark.ts';
import type { Db } from '../../db/open.ts';
import { Store } from '../../db/prepared.ts';
import { contentColumns } from '../members/member.ts';
import { PRODUCT, PRODUCT_IDENTITY } from '../members/product.ts';
import { folded } from '../../validation/text.ts';
import {
  type Current,
  KEYS_OF_COMPANY,
  type ReservedKey,
  type Situacao,
  type Version,
  situacaoOf,
} from '../versioned/model.ts';
import { VersionedStore, countActiveSql } from '../versioned/store.ts';
import type { ProductColumns, ProductHead, Products } from './model.ts';
import { codigosInternoOf } from './record.ts';
import { SignatureStore } from './signature-store.ts';

export type Product = Current<ProductColumns>;
export type ProductVersion = Version<ProductColumns>;

const CONTENT = contentColumns(PRODUCT);

const DERIVED = {
  denominacaoFolded: 'denominacao_folded',
  descricaoFolded: 'descricao_folded',
  contentHash: 'content_hash',
} as const;

interface Derived {
  readonly denominacaoFolded: string;
  readonly descricaoFolded: string | null;
  readonly contentHash: number | null;
}

/** Products that get their fingerprints in one transaction: some ms. */
const FILLED_AT_A_TIME = 200;

const OF_COMPANY = 'company_id = (SELECT c.id FROM company c WHERE c.cpf_cnpj_raiz = ?)';

/**
 * Finds a product by company root and code. The inner look-up is not planned again, as a join would be
 * (db/open.ts).
 */
const OF_CODIGO = `id = (SELECT c.id FROM company c WHERE c.cpf_cnpj_raiz = ?) * ${KEYS_OF_COMPANY} + ?`;

/** The condition that two products `o` and `p` have equal columns, internal codes apart. */
const EQUAL_COLUMNS = PRODUCT_IDENTITY.map((name) => CONTENT[name])
  .map((column) => `o.${column} IS p.${column}`)
  .join(' AND ');

/**
 * The twin of a new product among older active ones with its fingerprint. `equal`: the oldest has the same
 * columns, and the new product is active too. `possible`: their contents must be compared.
 */
export type TwinOfNew = 'equal' | 'possible' | 'none';

const ACTIVE = "situacao = 'ATIVADO' ORDER BY id";

/** Mark that new versions get fingerprints: all products have one, or the others are being computed. */
const FINGERPRINTED = 'fingerprinted';
const ALL_HAVE_ONE = 'true';
const SOME_HAVE_ONE = 'some';

export class ProductStore extends Store implements Products {
  readonly signatures = new SignatureStore(this.db);
  readonly versions = new VersionedStore<ProductColumns, object, Derived>(this.db, {
    name: 'product',
    content: CONTENT,
    identity: {},
    derived: DERIVED,
    derive: (version) => this.#derive(version),
    writeAlso: ({ id, companyId }, version, { denominacaoFolded }, before) => {
      const { codigosInterno, ncm } = version;
      this.signatures.put(id, { denominacaoFolded, codigosInterno, ncm });
      const situacao = situacaoOf(version);
      if (situacao === before?.situacao) return;
      this.#count(companyId, situacao, 1);
      if (before !== undefined) this.#count(companyId, before.situacao, -1);
    },
  });
  /** Adds to the stored number of products of a company in a situation (page-list-query.ts). */
  readonly #count = this.runs<[companyId: number, situacao: Situacao, change: 1 | -1]>(
    `INSERT INTO product_count (company_id, situacao, count) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  );
  readonly #find = this.versions.prepareFind<[string, number]>(OF_CODIGO);
  readonly #countActive = this.number<[string, string]>(countActiveSql('product'));
  readonly findHead = this.one<[cpfCnpjRaiz: string, codigo: number], ProductHead>(
    `SELECT id, situacao FROM product WHERE ${OF_CODIGO}`,
  );
  readonly #withInternalCodes = this.many<[string, string], ProductHead>(
    `SELECT DISTINCT p.id, p.situacao FROM json_each(?) j
     CROSS JOIN product_internal_code i ON i.company_id = (SELECT c.id FROM company c WHERE c.cpf_cnpj_raiz = ?)
     AND i.codigo_interno = j.value
     CROSS JOIN product p ON p.id = i.product_id ORDER BY p.id`,
  );
  readonly #takenCodes = this.values<[string, string], string>(
    `SELECT DISTINCT i.codigo_interno FROM json_each(?) j
       CROSS JOIN product_internal_code i ON i.company_id = (SELECT c.id FROM company c WHERE c.cpf_cnpj_raiz = ?)
       AND i.codigo_interno = j.value`,
  );
  readonly #hasCodesWithZeros = this.exists<[string]>(
    `SELECT 1 FROM product_internal_code WHERE company_id = (SELECT c.id FROM company c WHERE c.cpf_cnpj_raiz = ?)
       AND codigo_interno >= '0' AND codigo_interno < '1' LIMIT 1`,
  );
  readonly #insertInternalCode = this.runs<[number, string, number]>(
    'INSERT INTO product_internal_code (company_id, codigo_interno, product_id) VALUES (?, ?, ?)',
  );
  readonly #deleteInternalCode = this.runs<[number, string, number]>(
    'DELETE FROM product_internal_code WHERE company_id = ? AND codigo_interno = ? AND product_id = ?',
  );
  readonly #withHash = this.versions.prepareFind<[string, number]>(
    `${OF_COMPANY} AND content_hash = +? AND content_hash IS NOT NULL AND ${ACTIVE}`,
  );
  readonly #twinOfNew = this.value<[string, number], TwinOfNew | null>(
    `SELECT CASE WHEN (SELECT value FROM folder_mark WHERE name = '${FINGERPRINTED}') IS NOT '${ALL_HAVE_ONE}'
     THEN 'possible' ELSE (
       SELECT CASE WHEN p.situacao = 'ATIVADO' AND ${EQUAL_COLUMNS} THEN 'equal' ELSE 'possible' END
       FROM product p CROSS JOIN product o ON o.company_id = p.company_id AND o.content_hash = p.content_hash
         AND o.content_hash IS NOT NULL AND o.id < p.id AND o.situacao = 'ATIVADO'
       WHERE p.${OF_CODIGO} LIMIT 1
     ) END`,
  );
  readonly #withNcm = this.versions.prepareFind<[string, string, string]>(
    `${OF_COMPANY} AND ncm = +? AND denominacao = ? AND ${ACTIVE}`,
  );
  readonly #withoutHash = this.versions.prepareFind<[number, number]>(
    'id > ? AND content_hash IS NULL ORDER BY id LIMIT ?',
  );
  readonly #setHash = this.runs<[number, number]>('UPDATE product SET content_hash = ? WHERE id = ?');
  readonly #marks = new FolderMarks(this.db);
  readonly #hashOf: (content: ProductColumns) => number;
  readonly #findsIdentical: boolean;

  /** `hashOf`: the fingerprint of a content; `findsIdentical`: identical products will be searched. */
  constructor(db: Db, hashOf: (content: ProductColumns) => number, findsIdentical: boolean) {
    super(db);
    this.#hashOf = hashOf;
    this.#findsIdentical = findsIdentical;
  }

  find(cpfCnpjRaiz: string, codigo: number): Product | undefined {
    return this.#find.get(cpfCnpjRaiz, codigo);
  }

  countActive(cpfCnpjRaiz: string): number {
    return this.#countActive(cpfCnpjRaiz, cpfCnpjRaiz);
  }

  /** Returns the products of a company that have one of these internal codes. */
  listWithInternalCodes(cpfCnpjRaiz: string, codes: readonly string[]): ProductHead[] {
    return codes.length === 0 ? [] : this.#withInternalCodes(JSON.stringify(codes), cpfCnpjRaiz);
  }

  /** Returns those of the codes that products of a company have. */
  listUsedCodes(cpfCnpjRaiz: string, codes: readonly string[]): string[] {
    return codes.length === 0 ? [] : this.#takenCodes(JSON.stringify(codes), cpfCnpjRaiz);
  }

  /** Returns true if an internal code of the company begins with a zero. */
  hasCodesWithZeros(cpfCnpjRaiz: string): boolean {
    return this.#hasCodesWithZeros(cpfCnpjRaiz);
  }

  insert(slot: ReservedKey, version: ProductVersion, now: EpochMs): void {
    this.versions.insert(slot, {}, version, now);
    for (const codigoInterno of codigosInternoOf(version))
      this.#insertInternalCode(slot.companyId, codigoInterno, slot.id);
  }

  /** Updates the index of internal codes after a change of the product. */
  replaceInternalCodes({ id, companyId, codigosInterno }: Product, after: ProductColumns): void {
    if (codigosInterno === after.codigosInterno) return;
    for (const text of codigosInternoOf({ codigosInterno })) this.#deleteInternalCode(companyId, text, id);
    for (const text of codigosInternoOf(after)) this.#insertInternalCode(companyId, text, id);
  }

  /** Yields the active products of a company that may be identical. */
  *iterateCandidateTwins(cpfCnpjRaiz: string, content: ProductColumns): Generator<Product, void, undefined> {
    if (this.hasAllHashes) yield* this.#withHash.iterate(cpfCnpjRaiz, this.#hashOf(content));
    else if (content.ncm !== null)
      yield* this.#withNcm.iterate(cpfCnpjRaiz, content.ncm, content.denominacao);
  }

  /** Compares a new product with the oldest active one that has its fingerprint. */
  twinOfNew(cpfCnpjRaiz: string, codigo: number): TwinOfNew {
    return this.#twinOfNew(cpfCnpjRaiz, codigo) ?? 'none';
  }

  /** Returns true if each new version gets a fingerprint. Another process may start and stop this. */
  get keepsHashes(): boolean {
    return this.#findsIdentical || this.#marks.find(FINGERPRINTED) !== undefined;
  }

  get hasAllHashes(): boolean {
    return this.#marks.find(FINGERPRINTED) === ALL_HAVE_ONE;
  }

  /** Stops maintaining and using fingerprints. */
  stopHashes(): void {
    this.#marks.remove(FINGERPRINTED);
  }

  /**
   * Adds fingerprints to some products after `after`; returns the last one, `undefined` when all have one.
   */
  fillHashes(after: number): number | undefined {
    if (this.hasAllHashes) return undefined;
    const products = this.#withoutHash.all(after, FILLED_AT_A_TIME);
    for (const product of products) this.#setHash(this.#hashOf(product), product.id);
    this.#marks.put(FINGERPRINTED, products.length === 0 ? ALL_HAVE_ONE : SOME_HAVE_ONE);
    return products.at(-1)?.id;
  }

  #derive(version: ProductColumns): Derived {
    const { denominacao, descricao } = version;
    return {
      denominacaoFolded: folded(denominacao),
      descricaoFolded: descricao === null ? null : folded(descricao),
      contentHash: this.keepsHashes ? this.#hashOf(version) : null,
    };
  }
}
