/** Stores foreign operators. Lists and exports have their own reader (list-query.ts). */
import type { EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import { OPERATOR } from '../members/foreign-operator.ts';
import { contentColumns } from '../members/member.ts';
import { folded } from '../../validation/text.ts';
import type { Current, ReservedKey, Version } from '../versioned/model.ts';
import { VersionedStore, countActiveSql } from '../versioned/store.ts';
import { LARGEST_LEAP } from '../version.ts';
import { tinKeyOf } from './list-query.ts';
import type { OperatorColumns, OperatorHead, Operators } from './model.ts';

/** Columns of an operator that never change. */
interface Identity {
  readonly codigo: string;
  readonly numero: number;
  readonly codigoPais: string;
}

interface Derived {
  readonly nomeFolded: string;
}

export type Operator = Current<OperatorColumns> & Identity;

const OF_COMPANY = 'company_id = (SELECT c.id FROM company c WHERE c.cpf_cnpj_raiz = ?)';

export class OperatorStore extends Store implements Operators {
  readonly versions = new VersionedStore<OperatorColumns, Identity, Derived>(this.db, {
    name: 'foreign_operator',
    content: contentColumns(OPERATOR),
    identity: { codigo: 'codigo', numero: 'numero', codigoPais: 'codigo_pais' },
    derived: { nomeFolded: 'nome_folded' },
    derive: ({ nome }) => ({ nomeFolded: folded(nome) }),
  });
  readonly #nextNumero = this.value<[string], number>(
    `UPDATE company SET operator_sequence = operator_sequence + 1 WHERE cpf_cnpj_raiz = ?
     RETURNING operator_sequence`,
  );
  /**
   * Continues the numbering after a foreign code, unless it is so distant that the numbers would run out.
   */
  readonly reserveNumero = this.runs(
    `UPDATE company SET operator_sequence = max(operator_sequence, @numero)
     WHERE cpf_cnpj_raiz = @cpfCnpjRaiz AND @numero - operator_sequence <= ${LARGEST_LEAP}`,
    (cpfCnpjRaiz: string, numero: number) => [{ numero, cpfCnpjRaiz }],
  );
  readonly #find = this.versions.prepareFind<[string, string]>(`${OF_COMPANY} AND codigo = ?`);
  readonly findHead = this.one<[cpfCnpjRaiz: string, codigo: string], OperatorHead>(
    `SELECT codigo_pais AS codigoPais, situacao FROM foreign_operator WHERE ${OF_COMPANY} AND codigo = ?`,
  );
  readonly #countActive = this.number<[string, string]>(countActiveSql('foreign_operator'));
  readonly #withInternalCode = this.versions.prepareFind<[string, string]>(
    `${OF_COMPANY} AND codigo_interno = ? ORDER BY +numero, codigo`,
  );
  readonly #withName = this.versions.prepareFind<[string, string]>(
    `${OF_COMPANY} AND nome_folded = ? AND situacao = 'ATIVADO' ORDER BY +numero, codigo`,
  );
  // The plus keeps SQLite from using the order's index, which would read all operators of the company.
  readonly #activeWithTin = this.versions.prepareFind<[string, string]>(
    `${OF_COMPANY} AND tin = ? AND situacao = 'ATIVADO' ORDER BY +numero, codigo`,
  );

  readonly #likeTin = this.db.prepare<[string, string], { codigo: string; tin: string }>(
    `SELECT r.codigo, r.tin FROM foreign_operator o CROSS JOIN foreign_operator r INDEXED BY foreign_operator_by_tin_key
       ON r.company_id = o.company_id AND ${tinKeyOf('r')} = ${tinKeyOf('o')} AND r.tin IS NOT NULL AND r.situacao = 'ATIVADO'
     WHERE o.${OF_COMPANY} AND o.codigo = ? AND o.situacao = 'ATIVADO' AND r.id <> o.id AND r.tin <> o.tin LIMIT 1`,
  );

  /** Returns another active operator whose TIN differs only by blanks, punctuation and case. */
  findLikeTin(cpfCnpjRaiz: string, codigo: string): { codigo: string; tin: string } | undefined {
    return this.#likeTin.get(cpfCnpjRaiz, codigo);
  }

  countActive(cpfCnpjRaiz: string): number {
    return this.#countActive(cpfCnpjRaiz, cpfCnpjRaiz);
  }

  /**
   * Returns the next number of a company's codes that no operator has or had: operators are never removed.
   */
  nextNumero(cpfCnpjRaiz: string, codigoOf: (numero: number) => string): number {
    for (;;) {
      const numero = this.#nextNumero(cpfCnpjRaiz);
      if (numero === undefined) throw new Error('A company without a record has no codes.');
      if (this.findHead(cpfCnpjRaiz, codigoOf(numero)) === undefined) return numero;
    }
  }

  /** Returns the operator with that code, of any country. */
  find(cpfCnpjRaiz: string, codigo: string): Operator | undefined {
    return this.#find.get(cpfCnpjRaiz, codigo);
  }

  /** Returns the operators with that internal code, active or not: several may have it. */
  listWithInternalCode(cpfCnpjRaiz: string, codigoInterno: string): Operator[] {
    return this.#withInternalCode.all(cpfCnpjRaiz, codigoInterno);
  }

  /** Returns the active operators with that name, in any country. */
  listActiveWithName(cpfCnpjRaiz: string, nome: string): Operator[] {
    return this.#withName.all(cpfCnpjRaiz, folded(nome));
  }

  /**
   * Returns the active operators of a company with this TIN; more than one only if they come from a mirrored catalogue.
   */
  listActiveWithTin(cpfCnpjRaiz: string, tin: string): Operator[] {
    return this.#activeWithTin.all(cpfCnpjRaiz, tin);
  }

  /** Returns the slot of the next operator of a company. */
  nextSlot(cpfCnpjRaiz: string): ReservedKey {
    const { companyId, lastId } = this.versions.lastKey(cpfCnpjRaiz);
    return { companyId, id: lastId + 1 };
  }

  insert(slot: ReservedKey, identity: Identity, version: Version<OperatorColumns>, now: EpochMs): void {
    this.versions.insert(slot, identity, version, now);
  }
}
