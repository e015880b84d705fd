const bytesPerNumber = 4

/** Whether this machine uses the stored byte order; every supported machine does. */
const littleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

/** A vector in its stored form: 32-bit floats, little-endian. */
export function encodeVector(vector: Float32Array): Buffer {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
  return littleEndian ? Buffer.from(bytes) : Buffer.from(bytes).swap32()
}

/** Decodes a stored vector. */
export function decodeVector(bytes: Uint8Array): Float32Array {
  const copy = Buffer.alloc(bytes.byteLength)
  copy.set(bytes)
  if (!littleEndian) copy.swap32()
  return new Float32Array(copy.buffer, copy.byteOffset, copy.byteLength / bytesPerNumber)
}

/** The vector scaled to length 1, so that a dot product is a cosine; the zero vector stays as it is. */
export function normalised(vector: ArrayLike<number>): Float32Array {
  let sum = 0
  for (let index = 0; index < vector.length; index++) sum += vector[index]! ** 2
  const length = Math.sqrt(sum)
  const result = new Float32Array(vector.length)
  if (length > 0) for (let index = 0; index < vector.length; index++) result[index] = vector[index]! / length
  return result
}

/** The cosine of two normalised vectors. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}
