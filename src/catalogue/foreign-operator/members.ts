/** Converts a foreign operator to members with texts, for its history. */
import { parsed } from '../member-record.ts';
import { OPERATOR } from '../members/foreign-operator.ts';
import { namesIn } from '../members/member.ts';
import { cellOf } from '../members/cell-text.ts';
import type { MemberText } from '../record.ts';
import type { OperatorContent } from './model.ts';
import type { PrintedOperator } from './record.ts';

const PUBLISHED_MEMBERS = ['situacao', ...namesIn(OPERATOR, 'request')] as const;

export const operatorMembers = (operator: PrintedOperator): ReadonlyMap<string, MemberText> =>
  new Map(
    PUBLISHED_MEMBERS.map((name) => {
      const { heading, kind } = OPERATOR[name];
      const value = (operator as unknown as Readonly<Record<string, string | null>>)[name] ?? null;
      return [name, { heading, text: kind === 'identifications' ? identificationsText(value) : value }];
    }),
  );

const identificationsText = (storedText: string | null): string | null =>
  cellOf(
    parsed<OperatorContent['identificacoesAdicionais'][number]>(storedText).map(
      ({ codigo, numero }) => `${codigo} ${numero}`,
    ),
  );
