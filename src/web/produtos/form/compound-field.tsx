/** Compound attribute: one group of parts, or up to five where it repeats. */
import { useRef } from 'preact/hooks';
import type { Field } from './fields.ts';
import type { Group } from '../../../catalogue/attribute/words/values.ts';
import { Button } from '../../ui/button.tsx';
import { fieldsIn, useFocusAdded } from '../../ui/use-focus-added.ts';
import { partPlace } from './check.ts';
import { guidanceOf, nameOf } from './texts.ts';
import { ValueField } from './value-field.tsx';

/** Maximum number of groups (contract section 8). */
const GROUPS_MAX = 5;

export interface CompoundFieldProps {
  readonly field: Field;
  readonly groups: readonly Group[];
  /** `place`: place of the changed part, if only one part changed. */
  readonly onGroups: (change: (groups: readonly Group[]) => readonly Group[], place?: string) => void;
  readonly errorAt: (place: string) => string | undefined;
  /** Error of the whole compound. */
  readonly error: string | undefined;
}

export function CompoundField(props: CompoundFieldProps) {
  const { field, onGroups } = props;
  const groups = atLeastOne(props.groups);
  const repeats = field.list === 'atributosCompostosMultivalorados';
  const groupsRef = useRef<HTMLFieldSetElement>(null);
  const guidance = guidanceOf(field.detail);
  const focusAdded = useFocusAdded(groups.length, () => {
    const last = [...(groupsRef.current?.querySelectorAll('.product-group') ?? [])].at(-1);
    return fieldsIn(last)[0];
  });
  const add = (): void => {
    onGroups((before) => [...atLeastOne(before), {}]);
    focusAdded();
  };
  const remove = (index: number): void => {
    onGroups((before) => before.filter((_, place) => place !== index));
    groupsRef.current?.querySelector<HTMLElement>('.product-add button')?.focus();
  };
  return (
    <fieldset class="product-compound" ref={groupsRef}>
      <legend>
        {nameOf(field.detail)}
        {field.isRequired && (
          <span class="required" aria-hidden="true">
            obrigatório
          </span>
        )}
      </legend>
      {guidance !== undefined && <p class="muted">{guidance}</p>}
      {groups.map((group, index) => (
        <fieldset class="product-group" key={index}>
          {repeats && (
            <div class="product-group-head">
              <span>Grupo {index + 1}</span>
              {groups.length > 1 && (
                <Button
                  small
                  kind="bare"
                  label={`Retirar o grupo ${index + 1}`}
                  onPress={() => remove(index)}
                >
                  Retirar
                </Button>
              )}
            </div>
          )}
          <Parts {...props} groupIndex={index} group={group} />
        </fieldset>
      ))}
      {repeats && (
        <div class="product-add actions">
          <Button small disabled={groups.length >= GROUPS_MAX} onPress={add}>
            Mais um grupo
          </Button>
          {groups.length >= GROUPS_MAX && <span class="muted">No máximo {GROUPS_MAX} grupos.</span>}
        </div>
      )}
    </fieldset>
  );
}

/** Returns at least one group, which may be empty, so that the user has fields to fill in. */
const atLeastOne = (groups: readonly Group[]): readonly Group[] => (groups.length === 0 ? [{}] : groups);

function Parts(props: CompoundFieldProps & { readonly groupIndex: number; readonly group: Group }) {
  const { field, groupIndex, group, onGroups, errorAt, error } = props;
  const parts = field.groups[groupIndex] ?? field.groups[0] ?? [];
  return (
    <div class="product-fields">
      {parts.map(({ codigo, detail, isRequired }, index) => {
        const place = partPlace(field.codigo, groupIndex, codigo);
        const ofWhole = groupIndex === 0 && index === 0 ? error : undefined;
        return (
          <ValueField
            key={codigo}
            detail={detail}
            required={isRequired}
            value={group[codigo] ?? ''}
            error={errorAt(place) ?? ofWhole}
            onChange={(text) =>
              onGroups(
                (before) =>
                  atLeastOne(before).map((other, otherIndex) =>
                    otherIndex === groupIndex ? { ...other, [codigo]: text } : other,
                  ),
                place,
              )
            }
          />
        );
      })}
    </div>
  );
}
