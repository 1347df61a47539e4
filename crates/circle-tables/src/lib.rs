//! Static description of the circle and tflite schemas: names, slots, types, defaults, codes.
