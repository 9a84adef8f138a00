export {
  type ByteOrderMark,
  byteOrderMark,
  type Encoding,
  isBinary,
  SNIFFED_BYTES,
} from './media/text.ts';
export {
  isSigned,
  mediaTypeOf,
  mediaTypeOfName,
  SAMPLE_BYTES,
  textTypeOfName,
} from './media/types.ts';
