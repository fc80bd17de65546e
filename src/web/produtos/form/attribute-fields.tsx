/**
 * Fields of the attributes that the NCM requires now, and of those that the product has but the NCM lacks.
 */
import type { AttributeLists } from '../../../catalogue/attribute/words/model.ts';
import {
  type Field,
  type DroppedAttribute,
  type FormContext,
  fieldsOf,
  attributesToDrop,
  textsOf,
} from './fields.ts';
import {
  type AttributeValues,
  valuesOf,
  withGroups,
  withValues,
} from '../../../catalogue/attribute/words/values.ts';
import type { Deadline } from '../../api/answers.ts';
import { DeadlineNote } from '../../deadline/note.tsx';
import { ofAttributes } from '../../deadline/use-deadlines.ts';
import { ncmText } from '../../words.ts';
import { Notice } from '../../ui/alert.tsx';
import { attributePlace, valuePlace } from './check.ts';
import { CompoundField } from './compound-field.tsx';
import { SeveralField } from './several-field.tsx';
import { ValueField } from './value-field.tsx';

export interface AttributeFieldsProps {
  readonly company: string;
  readonly context: FormContext;
  /** Future requirements for such products. Each is shown below its field. */
  readonly deadlines: readonly Deadline[];
  /** Version of the attribute table in force. */
  readonly table: string;
  readonly filled: AttributeValues;
  /** `change` receives the latest values: two fields may change before one render. */
  readonly onFilled: (
    change: (filled: AttributeValues) => AttributeValues,
    ...places: readonly string[]
  ) => void;
  readonly errorAt: (place: string) => string | undefined;
}

export function AttributeFields(props: AttributeFieldsProps) {
  const { context, table, filled } = props;
  const fields = fieldsOf(context, filled);
  const droppedAttributes = attributesToDrop(context, filled);
  return (
    <>
      {droppedAttributes.length > 0 && (
        <Notice tone="warn">
          <p>
            {droppedAttributes.length === 1 ? 'Este atributo não é' : 'Estes atributos não são'} da NCM{' '}
            {ncmText(context.prepared.ncm)} na modalidade escolhida, pela tabela de atributos em vigor (versão{' '}
            <bdi>{table}</bdi>). Ao salvar {droppedAttributes.length === 1 ? 'ele fica' : 'eles ficam'} de
            fora:
          </p>
          <AttributeTexts attributes={droppedAttributes} />
        </Notice>
      )}
      {fields.length === 0 && <p class="muted">Esta NCM não pede atributos nesta modalidade.</p>}
      <div class="product-fields">
        {fields.map((field) => (
          <div key={field.codigo} class={classOf(field)}>
            <AttributeField {...props} field={field} />
            {deadlinesOf(field, props.deadlines).map((deadline) => (
              <DeadlineNote
                key={`${deadline.codigo} ${deadline.on}`}
                company={props.company}
                deadline={deadline}
              />
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

/** Returns the deadlines of the attribute or of one of its parts. */
function deadlinesOf({ codigo, groups }: Field, all: readonly Deadline[]): readonly Deadline[] {
  const codes = new Set([codigo, ...groups.flatMap((group) => group.map((part) => part.codigo))]);
  return ofAttributes(all).filter((deadline) => codes.has(deadline.codigo ?? ''));
}

function classOf({ isConditioned, groups, list, detail }: Field): string {
  const isWide = groups.length > 0 || list === 'atributosMultivalorados' || isLongText(detail);
  return [isConditioned && 'conditioned', isWide && 'wide'].filter(Boolean).join(' ');
}

const isLongText = ({ formaPreenchimento, tamanhoMaximo, dominio }: Field['detail']): boolean =>
  formaPreenchimento === 'TEXTO' && dominio.length === 0 && (tamanhoMaximo ?? Number.MAX_VALUE) > 120;

export interface AttributeFieldProps extends Pick<AttributeFieldsProps, 'filled' | 'onFilled' | 'errorAt'> {
  readonly field: Field;
}

export function AttributeField({ field, filled, onFilled, errorAt }: AttributeFieldProps) {
  const { codigo, detail, isRequired: required, list } = field;
  const place = attributePlace(codigo);
  const error = errorAt(place);
  const values = filled.values[codigo] ?? [];
  if (detail.formaPreenchimento === 'COMPOSTO')
    return (
      <CompoundField
        field={field}
        error={error}
        errorAt={errorAt}
        groups={filled.groups[codigo] ?? []}
        onGroups={(change, part) =>
          onFilled(
            (before) => withGroups(before, codigo, change(before.groups[codigo] ?? [])),
            place,
            ...(part === undefined ? [] : [part]),
          )
        }
      />
    );
  if (list === 'atributosMultivalorados')
    return (
      <SeveralField
        detail={detail}
        required={required}
        value={values}
        errorAt={(index) => errorAt(index === undefined ? place : valuePlace(codigo, index))}
        onChange={(change, index) =>
          onFilled(
            (before) => withValues(before, codigo, change(before.values[codigo] ?? [])),
            place,
            ...(index === undefined ? [] : [valuePlace(codigo, index)]),
          )
        }
      />
    );
  return (
    <ValueField
      detail={detail}
      required={required}
      error={error}
      value={values[0] ?? ''}
      onChange={(value) => onFilled((before) => withValues(before, codigo, [value]), place)}
    />
  );
}

/** Attributes of a product when no definition is available. They are kept unchanged. */
export function KeptAttributes({ lists }: { readonly lists: AttributeLists }) {
  const all = textsOf(valuesOf(lists));
  return all.length === 0 ? null : <AttributeTexts attributes={all} />;
}

const AttributeTexts = ({ attributes }: { readonly attributes: readonly DroppedAttribute[] }) => (
  <ul class="product-left">
    {attributes.map(({ codigo, texts }) => (
      <li key={codigo}>
        <code>{codigo}</code> <bdi>{texts.join(', ')}</bdi>
      </li>
    ))}
  </ul>
);
