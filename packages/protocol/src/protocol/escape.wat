;; Escapes UTF-8 bytes into the body of a JSON string, sixteen at a time, and counts the newlines on the way.
;; escape.ts holds this module compiled; a test compiles it again and compares.
(module
  (memory (export "memory") 1)
  (global $lines (mut i32) (i32.const 0))
  ;; newlines of the last call
  (func (export "lines") (result i32) (global.get $lines))
  ;; escapes `length` bytes at `from` into the body of a JSON string at `to`; returns the bytes written
  (func (export "escape") (param $from i32) (param $length i32) (param $to i32) (result i32)
    (local $end i32) (local $start i32) (local $block v128) (local $mask i32) (local $byte i32) (local $skip i32)
    (global.set $lines (i32.const 0))
    (local.set $start (local.get $to))
    (local.set $end (i32.add (local.get $from) (local.get $length)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
        (local.set $block (v128.load (local.get $from)))
        (v128.store (local.get $to) (local.get $block))
        (local.set $mask
          (i8x16.bitmask
            (v128.or
              (i8x16.lt_u (local.get $block) (i8x16.splat (i32.const 32)))
              (v128.or
                (i8x16.eq (local.get $block) (i8x16.splat (i32.const 34)))
                (i8x16.eq (local.get $block) (i8x16.splat (i32.const 92)))))))
        (if (i32.eqz (local.get $mask))
          (then
            (local.set $from (i32.add (local.get $from) (i32.const 16)))
            (local.set $to (i32.add (local.get $to) (i32.const 16)))
            (br $next)))
        (local.set $skip (i32.ctz (local.get $mask)))
        (local.set $from (i32.add (local.get $from) (local.get $skip)))
        (local.set $to (i32.add (local.get $to) (local.get $skip)))
        (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
        (local.set $byte (i32.load8_u (local.get $from)))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (if (i32.eq (local.get $byte) (i32.const 10))
          (then
            (global.set $lines (i32.add (global.get $lines) (i32.const 1)))
            (i32.store16 (local.get $to) (i32.const 0x6e5c))
            (local.set $to (i32.add (local.get $to) (i32.const 2)))
            (br $next)))
        (if (i32.ge_u (local.get $byte) (i32.const 32))
          (then ;; a quote or a backslash behind a backslash
            (i32.store8 (local.get $to) (i32.const 92))
            (i32.store8 offset=1 (local.get $to) (local.get $byte))
            (local.set $to (i32.add (local.get $to) (i32.const 2)))
            (br $next)))
        (local.set $skip (i32.load8_u offset=0 (i32.add (local.get $byte) (i32.const 0))))
        (if (i32.ne (local.get $skip) (i32.const 0))
          (then ;; \b \t \f \r
            (i32.store8 (local.get $to) (i32.const 92))
            (i32.store8 offset=1 (local.get $to) (local.get $skip))
            (local.set $to (i32.add (local.get $to) (i32.const 2)))
            (br $next)))
        (i32.store (local.get $to) (i32.const 0x3030755c)) ;; \u00
        (i32.store8 offset=4 (local.get $to) (i32.add (i32.const 48) (i32.shr_u (local.get $byte) (i32.const 4))))
        (local.set $byte (i32.and (local.get $byte) (i32.const 15)))
        (i32.store8 offset=5 (local.get $to)
          (i32.add (local.get $byte) (select (i32.const 48) (i32.const 87) (i32.lt_u (local.get $byte) (i32.const 10)))))
        (local.set $to (i32.add (local.get $to) (i32.const 6)))
        (br $next)))
    ;; the last block may have been read past the end
    (i32.sub (i32.sub (local.get $to) (local.get $start)) (i32.sub (local.get $from) (local.get $end))))
  ;; the letter behind the backslash for control characters that have one
  (data (i32.const 0) "\00\00\00\00\00\00\00\00bt\00\00fr"))
