/** Changes of many products other than attributes: texts, internal codes, manufacturers. */
import type { JSX } from 'preact';
import type { Member } from '../../catalogue/members/member.ts';
import { PRODUCT, PRODUCT_SETTABLE, type SettableName } from '../../catalogue/members/product.ts';
import type { ProductForm } from '../api/answers.ts';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Select } from '../ui/select.tsx';
import { missingOf } from '../vinculos/form-values.ts';
import { MakerFields } from '../vinculos/maker-fields.tsx';
import { type Maker, NO_MAKER, requestOf } from '../vinculos/maker.ts';
import { internalCodes } from './form/form-values.ts';
import { choicesOf, maxOf } from './form/identity.tsx';

/** Internal codes, one per line. */
const CODES = { add: 'Códigos internos a acrescentar', remove: 'Códigos internos a retirar' } as const;
const MAKERS = { link: 'Fabricante a vincular', unlink: 'Fabricante a desvincular' } as const;

/** Changes to apply. Absent members stay unchanged. */
export interface FieldChanges {
  readonly texts: Partial<Readonly<Record<SettableName | keyof typeof CODES, string>>>;
  readonly makers: Partial<Readonly<Record<keyof typeof MAKERS, Maker>>>;
}

export const NO_FIELD_CHANGES: FieldChanges = { texts: {}, makers: {} };

const TEXT_HEADINGS = {
  ...(Object.fromEntries(PRODUCT_SETTABLE.map((name) => [name, PRODUCT[name].heading])) as Record<
    SettableName,
    string
  >), // keyed by member name
  ...CODES,
};
const TEXTS = Object.keys(TEXT_HEADINGS) as (keyof typeof TEXT_HEADINGS)[];
const LINK_CHANGES = Object.keys(MAKERS) as (keyof typeof MAKERS)[];
const HEADINGS: Readonly<Record<string, string>> = { ...TEXT_HEADINGS, ...MAKERS };

export const isWithoutChanges = ({ texts, makers }: FieldChanges): boolean =>
  Object.keys(texts).length + Object.keys(makers).length === 0;

/** Returns true when no required value is missing. A description may be emptied. */
export const isFilled = ({ texts, makers }: FieldChanges): boolean =>
  Object.entries(texts).every(([name, text]) => name === 'descricao' || text.trim() !== '') &&
  Object.values(makers).every((maker) => missingOf(maker, '').length === 0);

/** Returns the changes in the form of the operation. */
export function requestedChanges({ texts, makers }: FieldChanges) {
  const { add, remove, ...members } = texts;
  const codes = {
    ...(add !== undefined && { add: internalCodes(add) }),
    ...(remove !== undefined && { remove: internalCodes(remove) }),
  };
  const linked = (maker: Maker | undefined) => {
    if (maker === undefined) return undefined;
    const { codigoProduto: _, ...request } = requestOf('', maker);
    return [request];
  };
  return {
    set: { ...members, ...(Object.keys(codes).length > 0 && { codigosInterno: codes }) },
    ...(Object.keys(makers).length > 0 && {
      links: { add: linked(makers.link), remove: linked(makers.unlink) },
    }),
  };
}

export interface ChangeFieldsProps {
  readonly cpfCnpjRaiz: string;
  readonly rules: ProductForm;
  readonly changes: FieldChanges;
  /** `change` receives the latest values, rendered or not. */
  readonly onChange: (change: (before: FieldChanges) => FieldChanges) => void;
}

export function ChangeFields({ cpfCnpjRaiz, rules, changes, onChange }: ChangeFieldsProps) {
  const { texts, makers } = changes;
  const setText = (name: keyof FieldChanges['texts'], text: string): void =>
    onChange((before) => ({ ...before, texts: { ...before.texts, [name]: text } }));
  const setMaker = (linkChange: keyof FieldChanges['makers'], changed: Partial<Maker>): void =>
    onChange((before) => ({
      ...before,
      makers: { ...before.makers, [linkChange]: { ...(before.makers[linkChange] ?? NO_MAKER), ...changed } },
    }));
  return (
    <>
      {TEXTS.filter((name) => name in texts).map((name) => (
        <ChangeField key={name} name={name} onChange={onChange}>
          <ChangeText
            name={name}
            rules={rules}
            value={texts[name] ?? ''}
            onChange={(text) => setText(name, text)}
          />
        </ChangeField>
      ))}
      {LINK_CHANGES.filter((linkChange) => linkChange in makers).map((linkChange) => (
        <ChangeField key={linkChange} name={linkChange} onChange={onChange}>
          <fieldset>
            <legend>{MAKERS[linkChange]}</legend>
            <MakerFields
              cpfCnpjRaiz={cpfCnpjRaiz}
              maker={makers[linkChange] ?? NO_MAKER}
              onChange={(changed) => setMaker(linkChange, changed)}
              errorAt={() => undefined}
            />
          </fieldset>
        </ChangeField>
      ))}
      <Combobox
        choosesOnEnter
        label={isWithoutChanges(changes) ? 'Campo' : 'Mais um campo'}
        help="Denominação, descrição, modalidade de rascunhos, códigos internos, fabricantes."
        options={[...TEXTS, ...LINK_CHANGES]
          .filter((name) => !(name in texts) && !(name in makers))
          .map((name) => HEADINGS[name] ?? name)
          .map((heading) => ({ value: heading, label: heading }))}
        value=""
        onChange={(heading) => {
          const text = TEXTS.find((name) => HEADINGS[name] === heading);
          const linkChange = LINK_CHANGES.find((name) => HEADINGS[name] === heading);
          if (text !== undefined) setText(text, '');
          if (linkChange !== undefined) setMaker(linkChange, {});
        }}
      />
    </>
  );
}

/** Renders one part with a control that leaves it unchanged. */
const ChangeField = (props: {
  readonly name: string;
  readonly onChange: ChangeFieldsProps['onChange'];
  readonly children: JSX.Element;
}) => (
  <RemovableField
    name={HEADINGS[props.name] ?? ''}
    onRemove={() =>
      props.onChange(({ texts, makers }) => ({
        texts: without(texts, props.name),
        makers: without(makers, props.name),
      }))
    }
  >
    {props.children}
  </RemovableField>
);

const without = <T extends object>(members: T, name: string): T =>
  Object.fromEntries(Object.entries(members).filter(([key]) => key !== name)) as T; // a subset of its own members

export const RemovableField = (props: {
  readonly name: string;
  readonly onRemove: () => void;
  readonly children: JSX.Element;
}) => (
  <div class="change-field">
    {props.children}
    <Button small kind="bare" label={`Não alterar ${props.name}`} onPress={props.onRemove}>
      Não alterar
    </Button>
  </div>
);

function ChangeText(
  props: Pick<ChangeFieldsProps, 'rules'> & {
    readonly name: keyof typeof TEXT_HEADINGS;
    readonly value: string;
    readonly onChange: (text: string) => void;
  },
) {
  const { name, rules, value, onChange } = props;
  const field = { label: TEXT_HEADINGS[name], value, onChange };
  if (name === 'add' || name === 'remove')
    return (
      <TextArea
        {...field}
        rows={3}
        code
        help={`Um por linha, até ${maxOf('codigosInterno', rules)} caracteres cada.`}
      />
    );
  const { kind, required }: Member = PRODUCT[name];
  if (kind === 'choice')
    return (
      <Select
        {...field}
        help="Só de rascunhos; de um produto ativado ela não muda."
        options={choicesOf(name, rules)}
      />
    );
  return (
    <TextArea
      {...field}
      rows={2}
      max={maxOf(name, rules)}
      {...(required === undefined && { help: 'Em branco: sem descrição.' })}
    />
  );
}
