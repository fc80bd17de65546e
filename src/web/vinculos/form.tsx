/**
 * The form of new links: a product with its manufacturers, or products with their manufacturer, in one
 * request.
 */
import type { ComponentChildren } from 'preact';
import type { ImportStarted } from '../api/answers.ts';
import type { Result } from '../api/result.ts';
import { useOpenImport } from '../api/use-open-import.ts';
import { useRight } from '../api/session.ts';
import { refusalOf, useForm } from '../api/use-form.ts';
import { Button } from '../ui/button.tsx';
import { DayInput } from '../ui/typed-input.tsx';
import { Form } from '../ui/form.tsx';
import { Card } from '../ui/page.tsx';
import { withCount } from '../words.ts';
import { ProductField } from './fields.tsx';
import {
  atFields,
  linksOf,
  type LinkValues,
  missingProblems,
  valuesFor,
  withoutPaths,
} from './form-values.ts';
import { MakerFields } from './maker-fields.tsx';
import { type LinkRequest, NO_MAKER } from './maker.ts';
import { linkOne, proposeLink, sendMany } from './send.ts';

export interface LinkFormProps {
  readonly cpfCnpjRaiz: string;
  /** Initially selected product; '' when there is none. */
  readonly codigoProduto: string;
  /** Called when one link was created. */
  readonly onLinked: () => void;
  readonly onCancel: () => void;
}

export function LinkForm({ cpfCnpjRaiz, codigoProduto, onLinked, onCancel }: LinkFormProps) {
  const openImport = useOpenImport();
  const mayApprove = useRight('aprovacao', cpfCnpjRaiz);
  const { formRef, ...form } = useForm<LinkValues>(
    valuesFor(codigoProduto),
    // The selection is restored when the user returns from adding an operator.
    { storageKey: `vinculos-${cpfCnpjRaiz}-${codigoProduto}` },
  );
  const { products, makers } = form.values;
  const links = linksOf(form.values);

  const send = async (): Promise<Result<LinkRequest | ImportStarted>> => {
    const { dataReferencia } = form.latest();
    const links = linksOf(form.latest());
    const [only] = links;
    if (links.length === 1 && only !== undefined && dataReferencia === '') {
      const answer = await (mayApprove ? linkOne(cpfCnpjRaiz, only) : proposeLink(cpfCnpjRaiz, only));
      return answer.ok ? answer : { ok: false, error: atFields(answer.error) };
    }
    const problems = missingProblems(form.latest());
    if (problems.length > 0) return { ok: false, error: refusalOf(problems) };
    return sendMany(links, { cpfCnpjRaiz, vincular: true, dataReferencia, simular: !mayApprove });
  };
  const save = async (): Promise<void> => {
    const result = await form.submit(send);
    if (result === undefined) return;
    if ('id' in result) openImport(result.id, cpfCnpjRaiz);
    else onLinked();
  };

  return (
    <Form
      form={{ formRef, error: withoutPaths(form.error), isBusy: form.isBusy }}
      {...(!mayApprove && { action: links.length === 1 ? 'Propor' : 'Conferir e propor' })}
      onSave={save}
      onCancel={() => {
        form.reset();
        onCancel();
      }}
    >
      <Card title="O que se vincula">
        <RepeatedFields
          values={products}
          more="Mais um produto"
          onChange={(change, index) =>
            form.set((before) => ({ products: change(before.products) }), `products/${index}`)
          }
          empty=""
        >
          {(product, index, change) => (
            <ProductField
              label={index === 0 ? 'Produto' : `Produto ${index + 1}`}
              required
              cpfCnpjRaiz={cpfCnpjRaiz}
              value={product}
              onChange={(codigo) => change(() => codigo)}
              error={form.errorAt(`products/${index}`)}
            />
          )}
        </RepeatedFields>
      </Card>
      <Card title="Quem o fabrica ou produz">
        <RepeatedFields
          values={makers}
          more="Mais um fabricante"
          onChange={(change, index) =>
            form.set(
              (before) => ({ makers: change(before.makers) }),
              ...MEMBERS.map((name) => `makers/${index}/${name}`),
            )
          }
          empty={NO_MAKER}
        >
          {(maker, index, change) => (
            <MakerFields
              cpfCnpjRaiz={cpfCnpjRaiz}
              maker={maker}
              onChange={(changed) => change((before) => ({ ...before, ...changed }))}
              errorAt={(member) => form.errorAt(`makers/${index}/${member}`)}
            />
          )}
        </RepeatedFields>
      </Card>
      <div class="link-start">
        <DayInput
          label="Início do vínculo"
          help="Vazio: hoje. Pode ser um dia passado."
          {...form.field('dataReferencia')}
        />
      </div>
      {links.length > 1 && (
        <p class="muted" role="status">
          Serão feitos {withCount(links.length, 'vínculo', 'vínculos')}: cada produto com cada fabricante.
        </p>
      )}
    </Form>
  );
}

const MEMBERS = Object.keys(NO_MAKER);

/** Shows several values of one kind, one below the other. The first cannot be removed alone. */
const RepeatedFields = <T,>({
  values,
  empty,
  more,
  onChange,
  children,
}: {
  readonly values: readonly T[];
  readonly empty: T;
  readonly more: string;
  /** `index`: the changed position. `change` applies to the current list, because an answer may come late. */
  readonly onChange: (change: (before: readonly T[]) => readonly T[], index: number) => void;
  readonly children: (value: T, index: number, change: (next: (before: T) => T) => void) => ComponentChildren;
}) => (
  <div class="stack">
    {values.map((value, position) => (
      <div class="link-one" key={position}>
        {children(value, position, (next) =>
          onChange(
            (all) => all.map((before, index) => (index === position ? next(before) : before)),
            position,
          ),
        )}
        {values.length > 1 && (
          <Button
            kind="bare"
            label={`Retirar o ${position + 1}º`}
            onPress={() => onChange((all) => all.filter((_, index) => index !== position), position)}
          >
            Retirar
          </Button>
        )}
      </div>
    ))}
    <div>
      <Button small icon="plus" onPress={() => onChange((all) => [...all, empty], values.length)}>
        {more}
      </Button>
    </div>
  </div>
);
