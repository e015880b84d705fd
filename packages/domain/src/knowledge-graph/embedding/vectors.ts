/** A vector as it is stored: 32-bit floats, little-endian. */
export function encodeVector(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes
}

/** A stored vector. */
export function decodeVector(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, index) => view.getFloat32(index * 4, true))
}

/** The vector with length 1, so that a product is a cosine; the zero vector stays. */
export function normalised(vector: ArrayLike<number>): Float32Array {
  let sum = 0
  for (let index = 0; index < vector.length; index++) sum += vector[index]! ** 2
  const length = Math.sqrt(sum)
  return Float32Array.from(vector, value => (length === 0 ? 0 : value / length))
}

/** The cosine of two normalised vectors. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}
