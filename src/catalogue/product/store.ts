/** Products on disk. The lists and exports have a reader of their own (list-query.ts). */
import type { EpochMs } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { Validity, VersionNumber } from '../version.ts';
import type { Modalidade, ProductVersion, Situacao } from './model.ts';

/** The head of a product: its identity, and what the filters need of its current version. */
export interface Product {
  readonly id: number;
  readonly codigo: number;
  readonly situacao: Situacao;
  readonly currentVersion: number;
}

export interface ProductHead {
  readonly situacao: Situacao;
  readonly modalidade: Modalidade | null;
  readonly ncm: string | null;
  readonly denominacaoFolded: string;
  readonly descricaoFolded: string | null;
  readonly contentHash: number;
}

export type NewVersion = Omit<ProductVersion, 'id'>;

/** A version with what a record needs beside it. */
export interface StoredProductVersion extends ProductVersion {
  readonly codigo: number;
}

/** What a record shows of a version whose number is known. */
export type PrintedVersion = Pick<
  ProductVersion,
  'draftUntil' | 'deactivatedAt' | 'denominacao' | 'descricao' | 'modalidade' | 'ncm' | 'lists'
>;

const PRINTED_COLUMNS = `v.draft_until AS draftUntil, v.deactivated_at AS deactivatedAt, v.denominacao, v.descricao,
  v.modalidade, v.ncm, v.lists`;

const VERSION_COLUMNS = `v.id, v.family, v.rectification, v.starts_on AS startsOn, v.made_at AS madeAt,
  ${PRINTED_COLUMNS}`;

const PRODUCT_COLUMNS = 'id, codigo, situacao, current_version AS currentVersion';

export class ProductStore {
  readonly #find;
  readonly #findVersion;
  readonly #findPrinted;
  readonly #versionById;
  readonly #versions;
  readonly #lastFamily;
  readonly #insertProduct;
  readonly #insertVersion;
  readonly #updateHead;
  readonly #touch;
  readonly #setCurrentVersion;
  readonly #replaceDraft;
  readonly #deactivateVersion;
  readonly #deleteValidities;
  readonly #insertValidity;
  readonly #deleteInternalCodes;
  readonly #insertInternalCode;
  readonly #sameContent;
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
    this.#find = db.prepare<[string, number], Product>(
      `SELECT ${PRODUCT_COLUMNS} FROM product WHERE cpf_cnpj_raiz = ? AND codigo = ?`,
    );
    // The product is looked up inside: a join with bound values would be planned anew at every call (db/open.ts).
    const numbered = (columns: string): string =>
      `SELECT ${columns} FROM product_version v
       WHERE v.product_id = (SELECT p.id FROM product p WHERE p.cpf_cnpj_raiz = ? AND p.codigo = ?)
         AND v.family = ? AND v.rectification = ?`;
    this.#findVersion = db.prepare<[string, number, number, number], ProductVersion>(
      numbered(VERSION_COLUMNS),
    );
    this.#findPrinted = db.prepare<[string, number, number, number], PrintedVersion>(
      numbered(PRINTED_COLUMNS),
    );
    this.#versionById = db.prepare<[number], ProductVersion>(
      `SELECT ${VERSION_COLUMNS} FROM product_version v WHERE v.id = ?`,
    );
    this.#versions = db.prepare<[number], ProductVersion>(
      `SELECT ${VERSION_COLUMNS} FROM product_version v WHERE v.product_id = ? ORDER BY v.family, v.rectification`,
    );
    this.#lastFamily = db
      .prepare<[number], number>('SELECT max(family) FROM product_version WHERE product_id = ?')
      .pluck();
    this.#insertProduct = db.prepare(
      `INSERT INTO product (cpf_cnpj_raiz, codigo, registered_at, changed_at, current_version, situacao, modalidade, ncm,
         denominacao_folded, descricao_folded, content_hash)
       VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insertVersion = db.prepare(
      `INSERT INTO product_version (product_id, family, rectification, starts_on, made_at, draft_until, deactivated_at,
         denominacao, descricao, modalidade, ncm, lists)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#updateHead = db.prepare(
      `UPDATE product SET current_version = ?, changed_at = ?, situacao = ?, modalidade = ?, ncm = ?,
         denominacao_folded = ?, descricao_folded = ?, content_hash = ? WHERE id = ?`,
    );
    this.#setCurrentVersion = db.prepare('UPDATE product SET current_version = ? WHERE id = ?');
    this.#touch = db.prepare('UPDATE product SET changed_at = ? WHERE id = ?');
    this.#replaceDraft = db.prepare(
      `UPDATE product_version SET draft_until = ?, denominacao = ?, descricao = ?, modalidade = ?, ncm = ?, lists = ?
       WHERE id = ?`,
    );
    this.#deactivateVersion = db.prepare('UPDATE product_version SET deactivated_at = ? WHERE id = ?');
    this.#deleteValidities = db.prepare('DELETE FROM product_validity WHERE product_id = ?');
    this.#insertValidity = db.prepare(
      'INSERT INTO product_validity (product_id, from_day, until_day, version_id) VALUES (?, ?, ?, ?)',
    );
    this.#deleteInternalCodes = db.prepare(
      'DELETE FROM product_internal_code WHERE cpf_cnpj_raiz = ? AND codigo_interno = ? AND product_id = ?',
    );
    this.#insertInternalCode = db.prepare(
      'INSERT INTO product_internal_code (cpf_cnpj_raiz, codigo_interno, product_id) VALUES (?, ?, ?)',
    );
    this.#sameContent = db.prepare<[string, number], StoredProductVersion>(
      `SELECT p.codigo, ${VERSION_COLUMNS} FROM product p JOIN product_version v ON v.id = p.current_version
       WHERE p.cpf_cnpj_raiz = +? AND p.content_hash = +? AND p.situacao = 'ATIVADO' ORDER BY p.codigo`,
    );
  }

  find(cpfCnpjRaiz: string, codigo: number): Product | undefined {
    return this.#find.get(cpfCnpjRaiz, codigo);
  }

  findVersion(cpfCnpjRaiz: string, codigo: number, version: VersionNumber): StoredProductVersion | undefined {
    const found = this.#findVersion.get(cpfCnpjRaiz, codigo, version.family, version.rectification);
    return found && { ...found, codigo };
  }

  /** The same, with only what is shown of it: the hottest read, and each column that is read costs. */
  findPrinted(cpfCnpjRaiz: string, codigo: number, version: VersionNumber): PrintedVersion | undefined {
    return this.#findPrinted.get(cpfCnpjRaiz, codigo, version.family, version.rectification);
  }

  getVersion(id: number): ProductVersion {
    const version = this.#versionById.get(id);
    if (version === undefined) throw new Error(`There is no product version ${id}.`);
    return version;
  }

  /** All versions of a product, oldest first. */
  listVersions(productId: number): ProductVersion[] {
    return this.#versions.all(productId);
  }

  /** The highest family of a product. */
  lastFamily(productId: number): number {
    return this.#lastFamily.get(productId) ?? 0;
  }

  /** Active products of a company whose content has this fingerprint. */
  listWithContentHash(cpfCnpjRaiz: string, contentHash: number): StoredProductVersion[] {
    return this.#sameContent.all(cpfCnpjRaiz, contentHash);
  }

  /**
   * Makes the index of fingerprints, or drops it where nobody looks for identical products: they lie all over it, so that
   * each inclusion would write a page of its own.
   */
  indexContent(isWanted: boolean): void {
    this.#db.exec(
      isWanted
        ? 'CREATE INDEX IF NOT EXISTS product_by_content ON product (cpf_cnpj_raiz, content_hash)'
        : 'DROP INDEX IF EXISTS product_by_content',
    );
  }

  insertProduct(cpfCnpjRaiz: string, codigo: number, now: EpochMs, head: ProductHead): number {
    const { situacao, modalidade, ncm, denominacaoFolded, descricaoFolded, contentHash } = head;
    return Number(
      this.#insertProduct.run(
        cpfCnpjRaiz,
        codigo,
        now,
        now,
        situacao,
        modalidade,
        ncm,
        denominacaoFolded,
        descricaoFolded,
        contentHash,
      ).lastInsertRowid,
    );
  }

  insertVersion(productId: number, version: NewVersion): number {
    return Number(
      this.#insertVersion.run(
        productId,
        version.family,
        version.rectification,
        version.startsOn,
        version.madeAt,
        version.draftUntil,
        version.deactivatedAt,
        version.denominacao,
        version.descricao,
        version.modalidade,
        version.ncm,
        version.lists,
      ).lastInsertRowid,
    );
  }

  /** Points a new product at its first version. */
  setCurrentVersion(productId: number, versionId: number): void {
    this.#setCurrentVersion.run(versionId, productId);
  }

  /** Makes a version the current one. */
  updateHead(productId: number, versionId: number, changedAt: EpochMs, head: ProductHead): void {
    const { situacao, modalidade, ncm, denominacaoFolded, descricaoFolded, contentHash } = head;
    this.#updateHead.run(
      versionId,
      changedAt,
      situacao,
      modalidade,
      ncm,
      denominacaoFolded,
      descricaoFolded,
      contentHash,
      productId,
    );
  }

  /** Notes that something of the product changed. */
  touch(productId: number, changedAt: EpochMs): void {
    this.#touch.run(changedAt, productId);
  }

  /** A draft is the only version whose content is replaced in place. */
  replaceDraft(
    versionId: number,
    version: Omit<NewVersion, keyof VersionNumber | 'startsOn' | 'madeAt' | 'deactivatedAt'>,
  ): void {
    const { draftUntil, denominacao, descricao, modalidade, ncm, lists } = version;
    this.#replaceDraft.run(draftUntil, denominacao, descricao, modalidade, ncm, lists, versionId);
  }

  deactivateVersion(versionId: number, at: EpochMs): void {
    this.#deactivateVersion.run(at, versionId);
  }

  replaceValidities(productId: number, validities: readonly Validity[]): void {
    this.#deleteValidities.run(productId);
    for (const { fromDay, untilDay, versionId } of validities)
      this.#insertValidity.run(productId, fromDay, untilDay, versionId);
  }

  addValidity(productId: number, { fromDay, untilDay, versionId }: Validity): void {
    this.#insertValidity.run(productId, fromDay, untilDay, versionId);
  }

  replaceInternalCodes(
    cpfCnpjRaiz: string,
    productId: number,
    before: readonly string[],
    after: readonly string[],
  ): void {
    for (const codigoInterno of before) this.#deleteInternalCodes.run(cpfCnpjRaiz, codigoInterno, productId);
    for (const codigoInterno of after) this.#insertInternalCode.run(cpfCnpjRaiz, codigoInterno, productId);
  }
}
