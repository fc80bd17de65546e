/**
 * The builders of TypeBox that this program uses. Imported by name, so that the executable contains no others: a
 * start would evaluate 200 modules of them.
 */
import {
  Array,
  Boolean,
  Integer,
  Null,
  Number,
  Object,
  Omit,
  Optional,
  Partial,
  Pick,
  Record,
  Required,
  String,
  Union,
  Unknown,
  Unsafe,
} from '@sinclair/typebox';

export const t = {
  Array,
  Boolean,
  Integer,
  Null,
  Number,
  Object,
  Omit,
  Optional,
  Partial,
  Pick,
  Record,
  Required,
  String,
  Union,
  Unknown,
  Unsafe,
};
