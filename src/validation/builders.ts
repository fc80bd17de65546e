/** The builders of TypeBox that this program uses. */
export {
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
