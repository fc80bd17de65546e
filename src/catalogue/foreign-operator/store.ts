/** Foreign operators on disk. The lists and exports have a reader of their own (list-query.ts). */
import type { EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import { OPERATOR } from '../members/foreign-operator.ts';
import { contentColumns } from '../members/member.ts';
import { folded } from '../../validation/text.ts';
import type { Current, Slot, Version } from '../versioned/model.ts';
import { VersionedStore } from '../versioned/store.ts';
import { LARGEST_LEAP } from '../version.ts';
import type { OperatorColumns, OperatorHead, Operators } from './model.ts';

/** What an operator keeps for ever. */
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
  readonly #nextNumero = this.db
    .prepare<[string], number>(
      `UPDATE company SET operator_sequence = operator_sequence + 1 WHERE cpf_cnpj_raiz = ?
     RETURNING operator_sequence`,
    )
    .pluck();
  readonly #reserveNumero = this.db.prepare<[{ numero: number; cpfCnpjRaiz: string }]>(
    `UPDATE company SET operator_sequence = max(operator_sequence, @numero)
     WHERE cpf_cnpj_raiz = @cpfCnpjRaiz AND @numero - operator_sequence <= ${LARGEST_LEAP}`,
  );
  readonly #find = this.versions.prepareFind<[string, string]>(`${OF_COMPANY} AND codigo = ?`);
  readonly #findHead = this.db.prepare<[string, string], OperatorHead>(
    `SELECT codigo_pais AS codigoPais, situacao FROM foreign_operator WHERE ${OF_COMPANY} AND codigo = ?`,
  );
  readonly #countActive = this.db
    .prepare<[string], number>(
      `SELECT count(*) FROM foreign_operator WHERE ${OF_COMPANY} AND situacao = 'ATIVADO'`,
    )
    .pluck();
  readonly #withInternalCode = this.versions.prepareFind<[string, string]>(
    `${OF_COMPANY} AND codigo_interno = ? ORDER BY +numero, codigo`,
  );
  readonly #withName = this.versions.prepareFind<[string, string]>(
    `${OF_COMPANY} AND nome_folded = ? AND situacao = 'ATIVADO' ORDER BY +numero, codigo`,
  );
  // Without the plus the order would choose the index, and all operators of the company were gone through.
  readonly #activeWithTin = this.versions.prepareFind<[string, string]>(
    `${OF_COMPANY} AND tin = ? AND situacao = 'ATIVADO' ORDER BY +numero, codigo`,
  );

  countActive(cpfCnpjRaiz: string): number {
    return this.#countActive.get(cpfCnpjRaiz) ?? 0;
  }

  /** The next number of a company's codes that no operator has or ever had: operators are never removed. */
  nextNumero(cpfCnpjRaiz: string, codigoOf: (numero: number) => string): number {
    for (;;) {
      const numero = this.#nextNumero.get(cpfCnpjRaiz);
      if (numero === undefined) throw new Error('A company without a record has no codes.');
      if (this.findHead(cpfCnpjRaiz, codigoOf(numero)) === undefined) return numero;
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

  /** Those with that internal code, active or not: nothing keeps several from having it. */
  listWithInternalCode(cpfCnpjRaiz: string, codigoInterno: string): Operator[] {
    return this.#withInternalCode.all(cpfCnpjRaiz, codigoInterno);
  }

  /** The active ones of that name, in whatever country. */
  listActiveWithName(cpfCnpjRaiz: string, nome: string): Operator[] {
    return this.#withName.all(cpfCnpjRaiz, folded(nome));
  }

  findHead(cpfCnpjRaiz: string, codigo: string): OperatorHead | undefined {
    return this.#findHead.get(cpfCnpjRaiz, codigo);
  }

  /** The active operators of a company that have this TIN; more than one only where it was mirrored so. */
  listActiveWithTin(cpfCnpjRaiz: string, tin: string): Operator[] {
    return this.#activeWithTin.all(cpfCnpjRaiz, tin);
  }

  /** Where the next operator of a company lies. */
  nextSlot(cpfCnpjRaiz: string): Slot {
    const { companyId, lastId } = this.versions.lastSlot(cpfCnpjRaiz);
    return { companyId, id: lastId + 1 };
  }

  insert(slot: Slot, identity: Identity, version: Version<OperatorColumns>, now: EpochMs): void {
    this.versions.insert(slot, identity, version, now);
  }
}
