/** Foreign operators on disk. The lists and exports have a reader of their own (list-query.ts). */
import type { EpochMs } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import { LARGEST_LEAP, type Validity, type VersionNumber } from '../version.ts';
import type { OperatorKey, OperatorSituacao, OperatorVersion } from './model.ts';

/** The head of an operator: its identity, and which version is in force. */
export interface Operator {
  readonly id: number;
  readonly codigo: string;
  readonly codigoPais: string;
  readonly situacao: OperatorSituacao;
  readonly currentVersion: number;
}

/** What the filters and the rules need of the current version. */
export interface OperatorHead {
  readonly situacao: OperatorSituacao;
  readonly tin: string | null;
  readonly codigoInterno: string | null;
  readonly nomeFolded: string;
}

export type NewOperatorVersion = Omit<OperatorVersion, 'id'>;

/** What a record shows of a version. */
export const PRINTED_COLUMNS = `v.family, v.rectification, v.tin, v.nome, v.logradouro,
  v.nome_cidade AS nomeCidade, v.codigo_subdivisao_pais AS codigoSubdivisaoPais, v.cep,
  v.codigo_interno AS codigoInterno, v.email, v.identificacoes_adicionais AS identificacoesAdicionais`;

const VERSION_COLUMNS = `v.id, v.starts_on AS startsOn, v.made_at AS madeAt, v.deactivated_at AS deactivatedAt, ${PRINTED_COLUMNS}`;

const OPERATOR_COLUMNS = 'id, codigo, codigo_pais AS codigoPais, situacao, current_version AS currentVersion';

export class OperatorStore {
  readonly #nextNumero;
  readonly #reserveNumero;
  readonly #find;
  readonly #activeWithTin;
  readonly #findVersion;
  readonly #versionById;
  readonly #versions;
  readonly #insertOperator;
  readonly #insertVersion;
  readonly #setCurrentVersion;
  readonly #updateHead;
  readonly #touch;
  readonly #deactivateVersion;
  readonly #deleteValidities;
  readonly #insertValidity;

  constructor(db: Db) {
    this.#nextNumero = db
      .prepare<[string], number>(
        `UPDATE company SET operator_sequence = operator_sequence + 1 WHERE cpf_cnpj_raiz = ?
         RETURNING operator_sequence`,
      )
      .pluck();
    this.#reserveNumero = db.prepare<[{ numero: number; cpfCnpjRaiz: string }]>(
      `UPDATE company SET operator_sequence = max(operator_sequence, @numero)
       WHERE cpf_cnpj_raiz = @cpfCnpjRaiz AND @numero - operator_sequence <= ${LARGEST_LEAP}`,
    );
    this.#find = db.prepare<[string, string], Operator>(
      `SELECT ${OPERATOR_COLUMNS} FROM foreign_operator WHERE cpf_cnpj_raiz = ? AND codigo = ?`,
    );
    this.#activeWithTin = db.prepare<[string, string], Operator>(
      `SELECT ${OPERATOR_COLUMNS} FROM foreign_operator
       WHERE cpf_cnpj_raiz = ? AND tin = ? AND situacao = 'ATIVADO' ORDER BY numero, codigo`,
    );
    this.#findVersion = db.prepare<[number, number, number], OperatorVersion>(
      `SELECT ${VERSION_COLUMNS} FROM foreign_operator_version v
       WHERE v.operator_id = ? AND v.family = ? AND v.rectification = ?`,
    );
    this.#versionById = db.prepare<[number], OperatorVersion>(
      `SELECT ${VERSION_COLUMNS} FROM foreign_operator_version v WHERE v.id = ?`,
    );
    this.#versions = db.prepare<[number], OperatorVersion>(
      `SELECT ${VERSION_COLUMNS} FROM foreign_operator_version v
       WHERE v.operator_id = ? ORDER BY v.family, v.rectification`,
    );
    this.#insertOperator = db.prepare(
      `INSERT INTO foreign_operator (cpf_cnpj_raiz, codigo, numero, codigo_pais, registered_at, changed_at,
         current_version, situacao, tin, codigo_interno, nome_folded)
       VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)`,
    );
    this.#insertVersion = db.prepare(
      `INSERT INTO foreign_operator_version (operator_id, family, rectification, starts_on, made_at, deactivated_at,
         tin, nome, logradouro, nome_cidade, codigo_subdivisao_pais, cep, codigo_interno, email,
         identificacoes_adicionais)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#setCurrentVersion = db.prepare('UPDATE foreign_operator SET current_version = ? WHERE id = ?');
    this.#updateHead = db.prepare(
      `UPDATE foreign_operator SET current_version = ?, changed_at = ?, situacao = ?, tin = ?, codigo_interno = ?,
         nome_folded = ? WHERE id = ?`,
    );
    this.#touch = db.prepare('UPDATE foreign_operator SET changed_at = ? WHERE id = ?');
    this.#deactivateVersion = db.prepare(
      'UPDATE foreign_operator_version SET deactivated_at = ? WHERE id = ?',
    );
    this.#deleteValidities = db.prepare('DELETE FROM foreign_operator_validity WHERE operator_id = ?');
    this.#insertValidity = db.prepare(
      'INSERT INTO foreign_operator_validity (operator_id, from_day, until_day, version_id) VALUES (?, ?, ?, ?)',
    );
  }

  /** The next number of a company's codes that no operator has or ever had: operators are never removed. */
  nextNumero(cpfCnpjRaiz: string, codigoOf: (numero: number) => string): number {
    for (;;) {
      const numero = this.#nextNumero.get(cpfCnpjRaiz);
      if (numero === undefined) throw new Error('A company without a record has no codes.');
      if (this.find(cpfCnpjRaiz, codigoOf(numero)) === undefined) return numero;
    }
  }

  /** Lets numbers go on after that of a code that came from elsewhere, unless it lies so far off that they would run out. */
  reserveNumero(cpfCnpjRaiz: string, numero: number): void {
    this.#reserveNumero.run({ numero, cpfCnpjRaiz });
  }

  /** The operator of that code, of whatever country. */
  find(cpfCnpjRaiz: string, codigo: string): Operator | undefined {
    return this.#find.get(cpfCnpjRaiz, codigo);
  }

  /** The active operators of a company that have this TIN; more than one only where it was mirrored so. */
  listActiveWithTin(cpfCnpjRaiz: string, tin: string): Operator[] {
    return this.#activeWithTin.all(cpfCnpjRaiz, tin);
  }

  findVersion(operatorId: number, { family, rectification }: VersionNumber): OperatorVersion | undefined {
    return this.#findVersion.get(operatorId, family, rectification);
  }

  getVersion(id: number): OperatorVersion {
    const version = this.#versionById.get(id);
    if (version === undefined) throw new Error(`There is no operator version ${id}.`);
    return version;
  }

  /** All versions of an operator, oldest first. */
  listVersions(operatorId: number): OperatorVersion[] {
    return this.#versions.all(operatorId);
  }

  insertOperator(key: OperatorKey, numero: number, now: EpochMs, head: OperatorHead): number {
    const { cpfCnpjRaiz, codigo, codigoPais } = key;
    const { situacao, tin, codigoInterno, nomeFolded } = head;
    return Number(
      this.#insertOperator.run(
        cpfCnpjRaiz,
        codigo,
        numero,
        codigoPais,
        now,
        now,
        situacao,
        tin,
        codigoInterno,
        nomeFolded,
      ).lastInsertRowid,
    );
  }

  insertVersion(operatorId: number, version: NewOperatorVersion): number {
    return Number(
      this.#insertVersion.run(
        operatorId,
        version.family,
        version.rectification,
        version.startsOn,
        version.madeAt,
        version.deactivatedAt,
        version.tin,
        version.nome,
        version.logradouro,
        version.nomeCidade,
        version.codigoSubdivisaoPais,
        version.cep,
        version.codigoInterno,
        version.email,
        version.identificacoesAdicionais,
      ).lastInsertRowid,
    );
  }

  /** Points a new operator at its first version. */
  setCurrentVersion(operatorId: number, versionId: number): void {
    this.#setCurrentVersion.run(versionId, operatorId);
  }

  /** Makes a version the current one. */
  updateHead(operatorId: number, versionId: number, changedAt: EpochMs, head: OperatorHead): void {
    const { situacao, tin, codigoInterno, nomeFolded } = head;
    this.#updateHead.run(versionId, changedAt, situacao, tin, codigoInterno, nomeFolded, operatorId);
  }

  /** Notes that something of the operator changed. */
  touch(operatorId: number, changedAt: EpochMs): void {
    this.#touch.run(changedAt, operatorId);
  }

  deactivateVersion(versionId: number, at: EpochMs): void {
    this.#deactivateVersion.run(at, versionId);
  }

  replaceValidities(operatorId: number, validities: readonly Validity[]): void {
    this.#deleteValidities.run(operatorId);
    for (const { fromDay, untilDay, versionId } of validities)
      this.#insertValidity.run(operatorId, fromDay, untilDay, versionId);
  }
}
