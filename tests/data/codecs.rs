//! Promise: Parquet is read whatever the common codec it is compressed with, as other tools write it.

use std::fs::File;

use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;
use racgen::data::format::Format;
use racgen::data::read::rows::rows;
use racgen::data::row::Row;
use racgen::data::write::rows::sink::open_with;
use racgen::factory::settings::Settings;
use racgen::items::source::ItemSource;

use crate::common::{factory, items, splits};

#[test]
fn every_common_codec_is_read() {
    let settings = Settings {
        levels: vec![1],
        depths: vec![1],
        items: 60,
        splits: splits(&[("train", 1.0)]),
        ..Default::default()
    };
    let source = factory("blocks", &settings);
    let made: Vec<Row> = items(&source).unwrap().into_iter().map(|item| item.row).collect();
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own.parquet");
    let mut sink = open_with(Format::Parquet, &own, source.extra_columns()).unwrap();
    sink.write(&made).unwrap();
    sink.finish().unwrap();
    let read = |path: &std::path::Path| -> Vec<Row> { rows(path).unwrap().map(Result::unwrap).collect() };
    assert_eq!(read(&own), made);
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ];
    for codec in codecs {
        let path = folder.path().join("other.parquet");
        let batches = ParquetRecordBatchReaderBuilder::try_new(File::open(&own).unwrap()).unwrap();
        let (schema, batches) = (batches.schema().clone(), batches.build().unwrap());
        let properties = WriterProperties::builder().set_compression(codec).build();
        let mut writer =
            ArrowWriter::try_new(File::create(&path).unwrap(), schema, Some(properties)).unwrap();
        batches.for_each(|batch| writer.write(&batch.unwrap()).unwrap());
        let told = writer.close().unwrap();
        assert_eq!(told.row_group(0).column(0).compression(), codec);
        assert_eq!(read(&path), made, "{codec:?}");
    }
}
